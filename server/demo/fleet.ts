/** A group of the demonstration. */
export interface DemoGroup {
  readonly name: string;
  /** Names of the groups above it, from the top. */
  readonly above: readonly string[];
}

/** A vehicle of the demonstration, and how it is used. */
export interface DemoCar {
  readonly nickname: string;
  readonly group: string;
  readonly serial: string;
  readonly type: { readonly make: string; readonly model: string; readonly year: number };
  /** Hour of the day (UTC) of the first tour, and number of tours a day. */
  readonly schedule: { readonly firstHour: number; readonly toursADay: number; readonly onWeekends: boolean };
  /** Tours in their order, as the places that they lead through; each begins where the one before ended. */
  readonly tours: readonly string[];
}

/** The groups of the demonstration, those above before those below. */
export const DEMO_GROUPS: readonly DemoGroup[] = [
  { name: 'Berlin', above: [] },
  { name: 'Couriers', above: ['Berlin'] },
  { name: 'Field service', above: ['Berlin'] },
  { name: 'Airport shuttle', above: [] },
];

/** The group to which the demonstration's second user is restricted. */
export const RESTRICTED_GROUP = 'Couriers';

/** The vehicles of the demonstration; each says in its name that it is simulated. */
export const DEMO_FLEET: readonly DemoCar[] = [
  {
    nickname: 'Courier 1 (simulated)',
    group: 'Couriers',
    serial: 'DEMO-1001',
    type: { make: 'Volkswagen', model: 'Caddy', year: 2023 },
    schedule: { firstHour: 6, toursADay: 4, onWeekends: true },
    tours: [
      'Alexanderplatz, Strausberger Platz, Frankfurter Tor, Lichtenberg',
      'Lichtenberg, Frankfurter Tor, Strausberger Platz, Alexanderplatz, Spittelmarkt, Potsdamer Platz',
      'Potsdamer Platz, Brandenburger Tor, Siegessäule, Ernst-Reuter-Platz, Theodor-Heuss-Platz',
      'Theodor-Heuss-Platz, Ernst-Reuter-Platz, Siegessäule, Hauptbahnhof, Rosa-Luxemburg-Platz, Prenzlauer Tor, Alexanderplatz',
    ],
  },
  {
    nickname: 'Courier 2 (simulated)',
    group: 'Couriers',
    serial: 'DEMO-1002',
    type: { make: 'Renault', model: 'Kangoo', year: 2022 },
    schedule: { firstHour: 7, toursADay: 4, onWeekends: false },
    tours: [
      'Hermannplatz, Kottbusser Tor, Moritzplatz, Spittelmarkt, Alexanderplatz',
      'Alexanderplatz, Prenzlauer Tor, Rosa-Luxemburg-Platz, Eberswalder Straße, Pankow',
      'Pankow, Eberswalder Straße, Rosa-Luxemburg-Platz, Prenzlauer Tor, Heinersdorf',
      'Heinersdorf, Prenzlauer Tor, Alexanderplatz, Spittelmarkt, Moritzplatz, Hallesches Tor, Mehringdamm, Hermannplatz',
    ],
  },
  {
    nickname: 'Service van (simulated)',
    group: 'Field service',
    serial: 'DEMO-1003',
    type: { make: 'Ford', model: 'Transit', year: 2021 },
    schedule: { firstHour: 6, toursADay: 3, onWeekends: false },
    tours: [
      'Rathaus Steglitz, Innsbrucker Platz, Kleistpark, Potsdamer Platz',
      'Potsdamer Platz, Kleistpark, Nollendorfplatz, Breitscheidplatz, Adenauerplatz',
      'Adenauerplatz, Rathenauplatz, Innsbrucker Platz, Tempelhof, Alt-Mariendorf',
      'Alt-Mariendorf, Tempelhof, Innsbrucker Platz, Rathaus Steglitz',
    ],
  },
  {
    nickname: 'Airport shuttle (simulated)',
    group: 'Airport shuttle',
    serial: 'DEMO-1004',
    type: { make: 'Mercedes-Benz', model: 'V-Class', year: 2024 },
    schedule: { firstHour: 5, toursADay: 4, onWeekends: true },
    tours: [
      'Breitscheidplatz, Nollendorfplatz, Mehringdamm, Platz der Luftbrücke, Tempelhof, Dreieck Neukölln, Adlershof, Airport BER',
      'Airport BER, Adlershof, Dreieck Neukölln, Tempelhof, Innsbrucker Platz, Rathenauplatz, Adenauerplatz, Breitscheidplatz',
    ],
  },
  {
    nickname: 'Pool car (simulated)',
    group: 'Berlin',
    serial: 'DEMO-1005',
    type: { make: 'Opel', model: 'Corsa', year: 2020 },
    schedule: { firstHour: 8, toursADay: 2, onWeekends: true },
    tours: [
      'Pichelsdorf, Theodor-Heuss-Platz, Dreieck Funkturm, Kreuz Zehlendorf, Potsdam Hauptbahnhof',
      'Potsdam Hauptbahnhof, Kreuz Zehlendorf, Dreieck Funkturm, Theodor-Heuss-Platz, Pichelsdorf',
    ],
  },
];
