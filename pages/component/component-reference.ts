import { readBuilt } from './component-file.ts';

/** A named item of the element, with its description. */
export interface Described {
  readonly name: string;
  readonly description: string;
}

/** The members of the element's manifest (Custom Elements Manifest 2.1.0) that the page shows. */
export interface ComponentReference {
  readonly attributes: readonly (Described & { readonly type: { readonly text: string }; readonly default?: string })[];
  readonly members: readonly (Described & {
    readonly kind: 'field' | 'method';
    /** The attribute that reflects it. */
    readonly attribute?: string;
    readonly type?: { readonly text: string };
    readonly readonly?: boolean;
  })[];
  readonly events: readonly (Described & { readonly type: { readonly text: string } })[];
  readonly slots: readonly Described[];
  readonly cssParts: readonly Described[];
  readonly cssStates: readonly Described[];
  readonly cssProperties: readonly Described[];
}

/** Reads `custom-elements.json`, which the build of the component writes; null if it has not been built. */
export async function componentReference(): Promise<ComponentReference | null> {
  const text = await readBuilt('dist/custom-elements.json');
  if (text === null) return null;
  const { modules } = JSON.parse(text) as { modules: [{ declarations: [ComponentReference] }] };
  return modules[0].declarations[0];
}
