import type { FieldDescription, InputValue, SchemaDescription, TypeReference } from './introspection.ts';

/** Called when the reader wants to try a field. */
export type TryField = (operation: 'query' | 'mutation', field: FieldDescription) => void;

/**
 * Shows what the schema offers: queries, mutations, then the types that they use, which link to each other. It runs in the
 * page, so it stands by itself.
 */
export function showDocumentation(target: HTMLElement, schema: SchemaDescription, tryField: TryField): void {
  const make = <Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    properties: Partial<HTMLElementTagNameMap[Tag]>,
    ...children: (Node | string)[]
  ): HTMLElementTagNameMap[Tag] => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  const builtIn = new Set(['String', 'Int', 'Float', 'Boolean', 'ID']);
  const reference = (type: TypeReference): Node => {
    if (type.ofType) {
      const [before, after] = type.kind === 'LIST' ? ['[', ']'] : ['', '!'];
      return make('span', {}, before, reference(type.ofType), after);
    }
    const name = String(type.name);
    return builtIn.has(name)
      ? make('span', { className: 'type' }, name)
      : make('a', { className: 'type', href: `#type-${name}` }, name);
  };

  /** A description is Markdown by custom, of which only code between backticks is used. */
  const described = (description: string | null): Node[] => {
    const parts = (description ?? '').split('`').map((part, at) => (at % 2 === 1 ? make('code', {}, part) : part));
    return description ? [make('p', { className: 'description' }, ...parts)] : [];
  };
  const input = ({ name, type, defaultValue, description }: InputValue): Node =>
    make(
      'li',
      {},
      make('code', {}, name, ': ', reference(type), defaultValue === null ? '' : ` = ${defaultValue}`),
      ...described(description),
    );
  const list = (items: readonly Node[]): Node[] => (items.length === 0 ? [] : [make('ul', {}, ...items)]);

  const rootField = (operation: 'query' | 'mutation', field: FieldDescription): Node => {
    const use = make('button', { type: 'button', className: 'quiet' }, 'Try it');
    use.setAttribute('aria-label', `Try ${field.name}`);
    use.addEventListener('click', () => tryField(operation, field));
    return make(
      'details',
      {},
      make('summary', {}, make('code', {}, field.name)),
      ...described(field.description),
      ...list(field.args.map(input)),
      make(
        'p',
        { className: 'result-type' },
        make('span', {}, 'Returns ', make('code', {}, reference(field.type))),
        use,
      ),
    );
  };

  const roots = [
    ['Queries', 'query', schema.queryType.name],
    ['Mutations', 'mutation', schema.mutationType?.name],
  ] as const;
  const sections = roots.map(([title, operation, typeName]) => {
    const fields = schema.types.find(({ name }) => name === typeName)?.fields ?? [];
    return fields.length === 0
      ? ''
      : make('section', {}, make('h3', {}, title), ...fields.map((field) => rootField(operation, field)));
  });

  const rootNames = new Set<string | undefined>(roots.map(([, , name]) => name));
  const types = schema.types
    .filter(({ name }) => !name.startsWith('__') && !builtIn.has(name) && !rootNames.has(name))
    .map((type) =>
      make(
        'details',
        { id: `type-${type.name}` },
        make('summary', {}, make('code', { className: 'type' }, type.name)),
        ...described(type.description),
        ...list(
          [...(type.fields ?? []).map((field) => ({ ...field, defaultValue: null })), ...(type.inputFields ?? [])].map(
            input,
          ),
        ),
        ...list((type.enumValues ?? []).map(({ name }) => make('li', {}, make('code', {}, name)))),
      ),
    );

  target.replaceChildren(...sections, make('section', {}, make('h3', {}, 'Types'), ...types));
  target.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#type-"]') : null;
    const details = link && document.getElementById(String(link.getAttribute('href')).slice(1));
    if (details instanceof HTMLDetailsElement) {
      details.open = true;
      details.querySelector('summary')?.focus();
    }
  });
}
