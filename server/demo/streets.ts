/** Latitude and longitude in degrees. */
export type Position = readonly [lat: number, lon: number];

/** Crossings of Berlin and around, roughly where they are. */
export const PLACES = {
  Adenauerplatz: [52.4997, 13.3072],
  Adlershof: [52.437, 13.516],
  'Airport BER': [52.3645, 13.509],
  Alexanderplatz: [52.5217, 13.4132],
  'Alt-Mariendorf': [52.4397, 13.3877],
  Breitscheidplatz: [52.5048, 13.3349],
  'Brandenburger Tor': [52.5163, 13.3765],
  'Dreieck Funkturm': [52.502, 13.2812],
  'Dreieck Neukölln': [52.458, 13.45],
  'Eberswalder Straße': [52.5412, 13.4122],
  'Ernst-Reuter-Platz': [52.5126, 13.3218],
  'Frankfurter Tor': [52.5157, 13.454],
  'Hallesches Tor': [52.4978, 13.3912],
  Hauptbahnhof: [52.5247, 13.3695],
  Heinersdorf: [52.5725, 13.437],
  Hermannplatz: [52.487, 13.4247],
  'Innsbrucker Platz': [52.4784, 13.3437],
  Kleistpark: [52.4905, 13.3605],
  'Kottbusser Tor': [52.499, 13.418],
  'Kreuz Zehlendorf': [52.424, 13.186],
  Lichtenberg: [52.5126, 13.498],
  Mehringdamm: [52.4937, 13.3882],
  Moritzplatz: [52.5036, 13.4105],
  Nollendorfplatz: [52.4993, 13.354],
  Pankow: [52.567, 13.4125],
  Pichelsdorf: [52.51, 13.202],
  'Platz der Luftbrücke': [52.4852, 13.386],
  'Potsdam Hauptbahnhof': [52.3915, 13.067],
  'Potsdamer Platz': [52.5096, 13.3759],
  'Prenzlauer Tor': [52.5277, 13.416],
  'Rathaus Steglitz': [52.456, 13.32],
  Rathenauplatz: [52.4968, 13.2905],
  'Rosa-Luxemburg-Platz': [52.5282, 13.4103],
  Siegessäule: [52.5145, 13.3501],
  Spittelmarkt: [52.5112, 13.4023],
  'Strausberger Platz': [52.5185, 13.4285],
  Tempelhof: [52.4708, 13.3857],
  'Theodor-Heuss-Platz': [52.5095, 13.2727],
} as const satisfies Readonly<Record<string, Position>>;

/** A name of {@link PLACES}. */
export type Place = keyof typeof PLACES;

/** A street from one place to another, for both directions. */
export interface Street {
  readonly from: Place;
  readonly to: Place;
  /** Kilometers per hour that are driven where nothing is in the way. */
  readonly kmh: number;
  /** Bends on the way. */
  readonly bends: readonly Position[];
}

const street = (from: Place, to: Place, kmh: number, ...bends: readonly Position[]): Street => ({
  from,
  to,
  kmh,
  bends,
});

/** Main streets between the places. */
export const STREETS: readonly Street[] = [
  street('Theodor-Heuss-Platz', 'Pichelsdorf', 60, [52.5086, 13.2587], [52.5083, 13.2373], [52.508, 13.2176]),
  street('Theodor-Heuss-Platz', 'Ernst-Reuter-Platz', 50, [52.5107, 13.296], [52.5118, 13.3085]),
  street('Theodor-Heuss-Platz', 'Dreieck Funkturm', 50, [52.5063, 13.2775]),
  street('Ernst-Reuter-Platz', 'Siegessäule', 50, [52.5135, 13.336]),
  street('Siegessäule', 'Brandenburger Tor', 50, [52.5154, 13.3645]),
  street('Brandenburger Tor', 'Potsdamer Platz', 40, [52.515, 13.3767], [52.512, 13.3763]),
  street('Ernst-Reuter-Platz', 'Breitscheidplatz', 45, [52.509, 13.3273], [52.5066, 13.3319]),
  street('Siegessäule', 'Hauptbahnhof', 45, [52.5176, 13.3528], [52.5223, 13.3541], [52.5239, 13.3617]),
  street('Hauptbahnhof', 'Rosa-Luxemburg-Platz', 45, [52.5308, 13.382], [52.532, 13.3885], [52.5297, 13.4013]),
  street('Rosa-Luxemburg-Platz', 'Prenzlauer Tor', 40),
  street('Rosa-Luxemburg-Platz', 'Eberswalder Straße', 45, [52.5327, 13.4127]),
  street('Eberswalder Straße', 'Pankow', 45, [52.5493, 13.4148], [52.5562, 13.4137]),
  street('Prenzlauer Tor', 'Heinersdorf', 50, [52.5362, 13.4213], [52.5448, 13.4272], [52.5561, 13.4321]),
  street('Prenzlauer Tor', 'Alexanderplatz', 40, [52.5247, 13.4172]),
  street('Alexanderplatz', 'Strausberger Platz', 50, [52.5209, 13.4185]),
  street('Strausberger Platz', 'Frankfurter Tor', 50, [52.5172, 13.441]),
  street('Frankfurter Tor', 'Lichtenberg', 50, [52.5146, 13.4747], [52.5139, 13.4866]),
  street('Alexanderplatz', 'Spittelmarkt', 45, [52.5182, 13.4119], [52.5151, 13.4058]),
  street('Spittelmarkt', 'Potsdamer Platz', 45, [52.5104, 13.3901]),
  street('Spittelmarkt', 'Moritzplatz', 45, [52.5104, 13.4094]),
  street('Moritzplatz', 'Kottbusser Tor', 40, [52.501, 13.4163]),
  street('Moritzplatz', 'Hallesches Tor', 45, [52.501, 13.4046], [52.4991, 13.3966]),
  street('Kottbusser Tor', 'Hermannplatz', 40, [52.4954, 13.4214]),
  street('Hallesches Tor', 'Mehringdamm', 45),
  street('Mehringdamm', 'Platz der Luftbrücke', 45, [52.4893, 13.3871]),
  street('Mehringdamm', 'Hermannplatz', 45, [52.4912, 13.396], [52.4893, 13.4078]),
  street('Platz der Luftbrücke', 'Tempelhof', 50, [52.4771, 13.3858]),
  street('Tempelhof', 'Alt-Mariendorf', 50, [52.4555, 13.385]),
  street(
    'Tempelhof',
    'Dreieck Neukölln',
    80,
    [52.4688, 13.3885],
    [52.465, 13.405],
    [52.4622, 13.418],
    [52.459, 13.437],
  ),
  street('Dreieck Neukölln', 'Adlershof', 85, [52.456, 13.467], [52.4478, 13.4836], [52.439, 13.496]),
  street('Adlershof', 'Airport BER', 95, [52.4205, 13.5238], [52.396, 13.515], [52.3797, 13.5152]),
  street('Potsdamer Platz', 'Kleistpark', 45, [52.5075, 13.369], [52.5017, 13.3663], [52.4961, 13.3632]),
  street('Kleistpark', 'Innsbrucker Platz', 45, [52.4873, 13.3553], [52.4826, 13.3484]),
  street('Innsbrucker Platz', 'Rathaus Steglitz', 50, [52.4713, 13.336], [52.464, 13.329]),
  street('Innsbrucker Platz', 'Tempelhof', 80, [52.4762, 13.3497], [52.4741, 13.3597], [52.4703, 13.3763]),
  street('Innsbrucker Platz', 'Rathenauplatz', 75, [52.4787, 13.3322], [52.4812, 13.3166], [52.4885, 13.3006]),
  street('Rathenauplatz', 'Dreieck Funkturm', 75, [52.4995, 13.2838]),
  street('Rathenauplatz', 'Adenauerplatz', 45),
  street('Adenauerplatz', 'Breitscheidplatz', 45, [52.502, 13.3203]),
  street('Breitscheidplatz', 'Nollendorfplatz', 45, [52.502, 13.343]),
  street('Nollendorfplatz', 'Mehringdamm', 50, [52.4975, 13.3622], [52.4928, 13.3715], [52.4929, 13.3803]),
  street('Nollendorfplatz', 'Kleistpark', 40, [52.4944, 13.3562]),
  street(
    'Dreieck Funkturm',
    'Kreuz Zehlendorf',
    100,
    [52.4893, 13.2659],
    [52.469, 13.242],
    [52.4515, 13.2186],
    [52.433, 13.197],
  ),
  street(
    'Kreuz Zehlendorf',
    'Potsdam Hauptbahnhof',
    85,
    [52.4108, 13.1672],
    [52.3935, 13.1361],
    [52.3889, 13.1022],
    [52.3907, 13.0804],
  ),
];
