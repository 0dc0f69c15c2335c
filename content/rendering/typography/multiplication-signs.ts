const BETWEEN_DIGITS = /(?<=\d)x(?=\d+(?!\w))/g;

/** Writes the `x` between two numbers, as in 1.5x20, as a multiplication sign; hexadecimal numbers (0x20) keep theirs. */
export function multiplicationSigns(text: string): string {
  return text.replace(BETWEEN_DIGITS, (sign, at: number) => (numberEndsAt(text, at) ? '&#215;' : sign));
}

/** Whether a number of its own ends before `end`: one that begins a word, and is not the 0 of 0x. */
function numberEndsAt(text: string, end: number): boolean {
  for (let at = end - 1; at >= 0 && /[\d.,]/.test(text.charAt(at)); at--) {
    const isLoneZero = text[at] === '0' && at === end - 1;
    if (/\d/.test(text.charAt(at)) && !/\w/.test(text.charAt(at - 1)) && !isLoneZero) return true;
  }
  return false;
}
