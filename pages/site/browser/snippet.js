/** Placeholder for the token in the snippet: the token lives an hour and is only for this page, so a copy is useless. */
const TOKEN = 'TOKEN_FROM_YOUR_SERVER';

/** Attributes that come first, as one would write them by hand. */
const FIRST = ['service-token', 'vehicle-key', 'trip-key', 'started-after'];

/**
 * The HTML that embeds an element in its current state, as nodes with highlighted strings.
 *
 * @param componentUrl address of the component's file
 */
export function snippetOf(componentUrl, element) {
  const names = element.getAttributeNames().filter((name) => !FIRST.includes(name));
  const attributes = [...FIRST.filter((name) => element.hasAttribute(name)), ...names].flatMap((name) => {
    const value = name === 'service-token' ? TOKEN : element.getAttribute(name);
    return value === '' ? [`\n  ${name}`] : [`\n  ${name}=`, quoted(value)];
  });
  return [
    '<script type="module"\n  src=',
    quoted(componentUrl),
    '></script>\n\n<service-trips-map',
    ...attributes,
    '>\n</service-trips-map>',
  ];
}

function quoted(value) {
  const span = document.createElement('span');
  span.className = 'string';
  span.textContent = `"${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  return span;
}
