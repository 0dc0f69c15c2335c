/** In running text the name is told from a part of a word by what stands before it. */
const NAME = /( |&#8216;|&#8220;|>|\()Wordpress/g;

/** Writes the name of WordPress with its capital P. */
export function capitalP(html: string): string {
  return html.replace(NAME, '$1WordPress');
}
