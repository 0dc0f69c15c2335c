import { isDoc, setOrDelete, type Doc, type OptionalValue, type Value } from '../bson/value.ts';
import { compileExpression, type Expression, type Variables } from '../query/expression.ts';
import { checkFieldPath } from '../query/path.ts';

/** Prepares `$addFields`: sets computed values at paths, through documents and every element of arrays. */
export function addFields(spec: Doc, variables: Variables): (doc: Doc) => Doc {
  const fields = [...spec].flatMap(([path, source]) => flatten(path.split('.'), source));
  return (root) =>
    fields.reduce<Doc>((doc, [path, expression]) => setIn(doc, path, 0, expression({ root, variables })) as Doc, root);
}

/** A document without operators sets each of its fields and keeps the others. */
function flatten(path: string[], source: Value): Array<[string[], Expression]> {
  checkFieldPath(path);
  if (isDoc(source) && source.size > 0 && ![...source.keys()].some((name) => name.startsWith('$'))) {
    return [...source].flatMap(([name, value]) => flatten([...path, ...name.split('.')], value));
  }
  return [[path, compileExpression(source)]];
}

function setIn(container: OptionalValue, path: string[], at: number, value: OptionalValue): Value {
  if (Array.isArray(container)) return container.map((element) => setIn(element, path, at, value));
  const part = path[at] ?? '';
  const doc: Doc = new Map(isDoc(container) ? container : []);
  const inner = at + 1 === path.length ? value : setIn(doc.get(part), path, at + 1, value);
  setOrDelete(doc, part, inner);
  return doc;
}
