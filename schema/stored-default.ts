import { Extensions } from 'type-graphql';

/**
 * Value of a field in documents that were stored before there was such a field, and in new ones that do not name it. A new
 * field needs one unless it is nullable or a list, or a migration stores it. A field that is filtered on needs the migration.
 */
export function StoredDefault(storedDefault: string | number | boolean): PropertyDecorator {
  return (target, property) => {
    Extensions({ storedDefault })(target, property);
  };
}
