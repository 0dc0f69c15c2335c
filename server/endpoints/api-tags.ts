/** The tags of the account API with a sentence each, in groups, in the order of the contents of its reference. */
export const API_TAG_GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Account: {
    account: 'The account of the caller, with its settings.',
    user: 'People of the account: their roles, groups and invitations.',
    subscription: 'Subscriptions of devices.',
    tag: 'Names that mark users, vehicles and trips.',
    change: 'Everything that was changed, by whom and when.',
  },
  Vehicles: {
    vehicle: 'Vehicles, with their newest position.',
    group: 'Groups of vehicles, users and devices.',
    device: 'Devices that record the positions of vehicles.',
    trip: 'Trips from start to end, with their positions and files.',
    stay: 'Stays of vehicles between trips.',
    event: 'Events that devices report and that the service detects.',
  },
  'Places and rules': {
    place: 'Named areas, and the visits of vehicles to them.',
    privacy_zone: 'Areas in which vehicles are hidden.',
    rule: 'Conditions of which users are notified.',
  },
  Exchange: {
    ingest: 'Positions from devices, in the formats of common apps and servers.',
    ingest_rejection: 'Positions of devices that were not stored, and why.',
    import: 'Imports of recorded trips from files.',
    share: 'Links on which others see a vehicle or a trip, for a time.',
    webhook: 'Addresses to which events are posted, and their deliveries.',
  },
  Access: {
    api_key: 'Keys of the account.',
    device_key: 'Keys with which devices send.',
    forwarder_key: 'Keys with which servers forward for devices.',
    app: 'Third-party apps that the account has registered.',
    app_grant: 'Permissions of apps to act for users.',
    security_event: 'The security log: sign-ins, and changes of people, keys and access.',
    deleted_record: 'Deleted records that can be restored.',
  },
};

/** The sentences of all tags. */
export const API_TAGS: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(API_TAG_GROUPS));
