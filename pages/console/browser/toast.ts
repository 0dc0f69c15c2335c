/** Time for which a message is seen, in milliseconds. */
const SHOWN_MS = 4000;

/** Shows a message for a short time in place of the one before, which screen readers read aloud. */
export function toast(text: string): void {
  const message = document.createElement('p');
  message.textContent = text;
  region().replaceChildren(message);
  setTimeout(() => message.remove(), SHOWN_MS);
}

function region(): HTMLElement {
  const found = document.querySelector<HTMLElement>('.toasts');
  if (found) return found;
  const made = document.createElement('div');
  made.className = 'toasts';
  made.setAttribute('role', 'status');
  document.body.append(made);
  return made;
}
