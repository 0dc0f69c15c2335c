/** Stands for the token in the snippet: it lives an hour and belongs to this page, so that a copy of it is worth nothing. */
const TOKEN = 'TOKEN_FROM_YOUR_SERVER';

/**
 * The HTML that embeds an element as it is now.
 *
 * @param componentUrl address of the component's file
 * @param attributes names and values; an empty value is a switch that is on
 */
export function snippetOf(componentUrl, attributes) {
  const lines = attributes.map(([name, value]) => {
    const text = name === 'service-token' ? TOKEN : value;
    return text === '' ? `  ${name}` : `  ${name}="${escaped(text)}"`;
  });
  return `<script type="module" src="${escaped(componentUrl)}"></script>

<service-trips-map
${lines.join('\n')}></service-trips-map>`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
