/** A style sheet as text, included in the built file. */
declare module '*.css?inline' {
  const css: string;
  // biome-ignore lint/style/noDefaultExport: the bundler exports the text as default
  export { css as default };
}
