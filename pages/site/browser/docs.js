/**
 * Comforts of the documentation, all of which a reader can do without: values that a reader types appear in the examples,
 * a chosen language is chosen in all examples, and the contents show the place of the reader.
 *
 * @module
 */

/** Variables of examples that a reader can fill in, with their labels. Nothing is sent or stored. */
const VARIABLES = { API_KEY: 'API key', VEHICLE_KEY: 'Vehicle key' };

const article = document.querySelector('.document');
const prose = article?.querySelector('.prose');

function addFields() {
  const fields = Object.entries(VARIABLES).flatMap(([name, label]) => {
    const marks = placesOf(`$${name}`);
    return marks.length === 0 ? [] : [fieldOf(`$${name}`, label, marks)];
  });
  if (fields.length === 0) return;
  const form = document.createElement('form');
  form.className = 'fill-in';
  form.setAttribute('aria-label', 'Values in the examples');
  form.addEventListener('submit', (event) => event.preventDefault());
  const note = document.createElement('p');
  note.textContent = 'The examples then show it. It stays in this page: it is neither sent nor stored.';
  form.append(...fields, note);
  prose.before(form);
}

/** Text nodes of examples that consist of a variable alone, which is separated from the text around it. */
function placesOf(variable) {
  const walker = document.createTreeWalker(prose, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf(variable);
    if (at < 0 || !node.parentElement.closest('pre')) continue;
    const place = node.splitText(at);
    place.splitText(variable.length);
    found.push(place);
    walker.currentNode = place;
  }
  return found;
}

function fieldOf(name, label, marks) {
  const field = document.createElement('label');
  const input = document.createElement('input');
  Object.assign(input, { autocomplete: 'off', spellcheck: false, placeholder: name });
  input.addEventListener('input', () => {
    for (const mark of marks) mark.data = input.value.trim() || name;
  });
  field.append(label, input);
  return field;
}

function chooseEverywhere() {
  prose.addEventListener('change', ({ target }) => {
    if (target.type !== 'radio') return;
    keepInPlace(target.parentElement, () => {
      for (const other of prose.querySelectorAll('.tabs input')) if (other.value === target.value) other.checked = true;
    });
  });
}

/** Makes a change by which elements above one may become longer. */
function keepInPlace(element, change) {
  const { top } = element.getBoundingClientRect();
  change();
  scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' });
}

function followReader() {
  const links = new Map(
    [...document.querySelectorAll('.contents a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  );
  const headings = [...prose.querySelectorAll('h2[id], h3[id]')].filter(({ id }) => links.has(id));
  if (headings.length === 0) return;
  const mark = () => {
    const current = headings.findLast((heading) => heading.getBoundingClientRect().top < 120) ?? null;
    for (const [id, link] of links) {
      if (id === current?.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
}

/** Lays out the whole page as soon as its beginning is shown. */
function layOut() {
  const show = () => {
    const { left, width } = article.getBoundingClientRect();
    const read = document.elementFromPoint(left + width / 2, innerHeight / 2) ?? article;
    keepInPlace(read, () => document.documentElement.classList.add('laid-out'));
  };
  const afterPaint = () => requestAnimationFrame(() => setTimeout(show));
  if (document.readyState === 'complete') afterPaint();
  else addEventListener('load', afterPaint);
}

document.querySelector('.index [aria-current]')?.scrollIntoView({ block: 'nearest' });
if (prose) {
  addFields();
  chooseEverywhere();
  followReader();
  if (prose.querySelector('.part')) layOut();
}
