/** A style sheet as text, put into the built file. */
declare module '*.css?inline' {
  const css: string;
  // biome-ignore lint/style/noDefaultExport: the bundler exports the text so
  export { css as default };
}
