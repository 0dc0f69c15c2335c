/** An answer of one side, as named texts: `status`, `header …` and `body` of HTTP; `exit`, `stdout` and `stderr` of a command. */
export type Answer = ReadonlyMap<string, string>;

/** Reads a value from an answer, to be used in later requests to the same side; undefined where it is not there. */
export type Extract = (answer: Answer) => string | undefined;

/** Extracts a member of the JSON of an answer, by the names and indexes that lead to it. */
export function member(...path: readonly (string | number)[]): Extract {
  return (answer) => {
    let at: unknown = jsonOf(answer);
    for (const name of path) at = isIndexable(at) ? at[name] : undefined;
    return typeof at === 'string' || typeof at === 'number' ? String(at) : undefined;
  };
}

/** Extracts a header. */
export function header(name: string): Extract {
  return (answer) => answer.get(`header ${name}`);
}

/** Extracts the first group of a pattern from the body, with its entities resolved. */
export function matched(pattern: RegExp): Extract {
  return (answer) => pattern.exec(answer.get('body') ?? '')?.[1]?.replaceAll('&amp;', '&');
}

/** The JSON of an answer's body or standard output; undefined where it is none. */
export function jsonOf(answer: Answer): unknown {
  try {
    return JSON.parse(answer.get('body') ?? answer.get('stdout') ?? '');
  } catch {
    return undefined;
  }
}

function isIndexable(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === 'object' && value !== null;
}
