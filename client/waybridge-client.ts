/**
 * The exports of the npm package.
 *
 * @module
 */
// biome-ignore-start lint/performance/noBarrelFile: the package has one entry
export { connect, type Movement, type MovementListener } from './live/connect.ts';
export type { VehiclePosition } from './live/vehicle-position.ts';
export { indexedDbStore } from './replica/indexeddb-store.ts';
export { memoryStore } from './replica/memory-store.ts';
export type { Kind, RecordOf } from './replica/record-fields.ts';
export { type FollowOptions, type Replica, replica } from './replica/replica.ts';
export type { RecordChange, ReplicaStore } from './replica/replica-store.ts';
export { type SqliteDatabase, sqliteStore } from './replica/sqlite-store.ts';
export { apiKey, bearer, type Credentials } from './service/credentials.ts';
export { type OAuthOptions, OAuthSession, type TokenStorage } from './service/oauth-session.ts';
export { RequestError } from './service/request-error.ts';
export { ask, type ServiceAccess } from './service/service-request.ts';
// biome-ignore-end lint/performance/noBarrelFile: the package has one entry
