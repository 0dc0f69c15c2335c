/** The page's style: three columns on a wide screen, one on a narrow one; light or dark like the reader's system. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f3f5f7, #10151b);
  --panel: light-dark(#ffffff, #171e26);
  --field: light-dark(#fbfcfd, #12181f);
  --line: light-dark(#d8dfe6, #2b3642);
  --ink: light-dark(#17212b, #e4eaf0);
  --faint: light-dark(#566474, #93a2b2);
  --accent: light-dark(#0b6b57, #4fc7a8);
  --on-accent: light-dark(#ffffff, #062019);
  --bad: light-dark(#b3261e, #ff8f84);
  --name: light-dark(#0b5aa8, #7fb8f5);
  --text: light-dark(#0b6b57, #7fd6bd);
  --number: light-dark(#8a4300, #f0b072);
  --word: light-dark(#7a2fa0, #cf9df0);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; padding: 14px 20px 0; }
h1 { margin: 0; font-size: 18px; font-weight: 650; letter-spacing: -0.01em; }
header p { margin: 0; color: var(--faint); }
main {
  flex: 1; display: grid; gap: 14px; padding: 14px 20px 20px; min-height: 0;
  grid-template-columns: minmax(0, 1.1fr) minmax(0, 1.2fr) minmax(260px, 0.8fr);
}
.panel {
  display: flex; flex-direction: column; min-width: 0; min-height: 0; margin: 0;
  background: var(--panel); border: 1px solid var(--line); border-radius: 10px; overflow: hidden;
}
.bar {
  display: flex; align-items: center; gap: 10px; min-height: 48px; padding: 6px 8px 6px 14px;
  border-bottom: 1px solid var(--line);
}
.bar h2, .bar label { margin: 0; font-size: 14px; font-weight: 600; }
.bar > :first-child { margin-right: auto; }
label.small { display: block; padding: 8px 14px 0; font-size: 13px; font-weight: 600; }
label.small span { font-weight: 400; color: var(--faint); }
textarea, pre {
  margin: 0; padding: 10px 14px; border: 0; background: transparent; color: inherit;
  font: 13px/1.6 var(--mono); tab-size: 2;
}
textarea { display: block; width: 100%; resize: none; }
textarea::placeholder { color: var(--faint); opacity: 1; }
#query { flex: 1; min-height: 220px; }
.inputs { display: grid; grid-template-columns: 1fr 1fr; border-top: 1px solid var(--line); background: var(--field); }
.inputs > div + div { border-left: 1px solid var(--line); }
.inputs textarea { height: 110px; }
pre { flex: 1; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.name { color: var(--name); } .text { color: var(--text); } .number { color: var(--number); } .word { color: var(--word); }
button {
  min-height: 36px; padding: 0 16px; border: 1px solid transparent; border-radius: 8px; cursor: pointer;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600;
}
button:hover { filter: brightness(1.08); }
button.quiet { min-height: 28px; padding: 0 10px; background: transparent; color: var(--accent); border-color: var(--line); font-size: 13px; }
kbd { padding: 1px 5px; border: 1px solid var(--line); border-radius: 4px; color: var(--faint); font: 12px var(--mono); }
#status { padding-right: 6px; text-align: right; color: var(--faint); font-size: 13px; font-variant-numeric: tabular-nums; }
#status[data-tone="good"] { color: var(--accent); }
#status[data-tone="bad"] { color: var(--bad); }
#documentation { flex: 1; overflow: auto; padding: 4px 14px 14px; }
#documentation h3 { margin: 14px 0 4px; color: var(--faint); font-size: 13px; font-weight: 600; }
#documentation code { font: 13px/1.5 var(--mono); overflow-wrap: anywhere; }
#documentation ul { margin: 6px 0; padding-left: 18px; }
#documentation li::marker { color: var(--line); }
details { border-bottom: 1px solid var(--line); padding: 5px 0; }
details[open] { padding-bottom: 10px; }
summary { cursor: pointer; border-radius: 4px; }
summary::marker { color: var(--faint); }
.description { margin: 2px 0 4px; color: var(--faint); font-size: 13px; }
.result-type { display: flex; align-items: center; justify-content: space-between; gap: 10px; margin: 6px 0 0; }
.type { color: var(--name); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
button:focus-visible, a:focus-visible { outline-offset: 2px; }
@media (min-width: 1000px) { body { height: 100vh; } }
@media (max-width: 999px) {
  main { grid-template-columns: minmax(0, 1fr); padding: 12px; }
  header { padding: 12px 12px 0; }
  pre { min-height: 160px; }
  kbd { display: none; }
}
@media (max-width: 480px) {
  .inputs { grid-template-columns: 1fr; }
  .inputs > div + div { border-left: 0; border-top: 1px solid var(--line); }
}
`;
