import { Extensions } from 'type-graphql';

/** Marks a field that REST reads, and that the gateway's schema leaves out. */
export function RestOnly(): PropertyDecorator & MethodDecorator {
  return Extensions({ restOnly: true }) as PropertyDecorator & MethodDecorator;
}
