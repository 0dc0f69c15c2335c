import type { TripStop } from '../trips/trip.ts';

/** SVG content of a marker's button. */
const ICONS: Record<TripStop['kind'], string> = {
  start:
    '<circle cx="12" cy="12" r="7.5" fill="#fff" stroke="var(--stop-color)" stroke-width="3.5"/>' +
    '<circle cx="12" cy="12" r="2.5" fill="var(--stop-color)"/>',
  stop:
    '<g stroke="var(--stop-color)" stroke-width="2"><circle cx="12" cy="12" r="6.5" fill="#fff"/>' +
    '<path d="M10.4 9.4v5.2M13.6 9.4v5.2" stroke-linecap="round"/></g>',
  end:
    '<g stroke="#fff"><path d="M16 39C11.5 30.5 3 25.5 3 15.5a13 13 0 0 1 26 0c0 10-8.5 15-13 23.5Z" ' +
    'fill="var(--stop-color)" stroke-width="2"/><path d="M11.5 21.5v-12m0 .6h9.3l-2.2 3.2 2.2 3.2h-9.3" ' +
    'fill="#fff" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"/></g>',
};

/** Creates the button that marks a stop. */
export function stopButton({ kind }: TripStop, label: string, color: string, choose: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `stop ${kind}`;
  button.part.add('stop', `stop-${kind}`);
  button.setAttribute('role', 'button');
  button.setAttribute('aria-label', label);
  button.setAttribute('aria-haspopup', 'dialog');
  button.style.setProperty('--stop-color', color);
  const box = kind === 'end' ? '0 0 32 40' : '0 0 24 24';
  button.innerHTML = `<svg viewBox="${box}" aria-hidden="true" focusable="false">${ICONS[kind]}</svg>`;
  button.addEventListener('click', (event) => {
    event.stopPropagation();
    choose();
  });
  return button;
}
