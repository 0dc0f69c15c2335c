declare const __VERSION__: string | undefined;

/** Version of this script, written in by the build. */
export const VERSION: string = typeof __VERSION__ === 'undefined' ? 'unbuilt' : __VERSION__;
