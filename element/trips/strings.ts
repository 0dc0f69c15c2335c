/** Languages that the component speaks, in the order of the columns of {@link TEXTS}. */
const LANGUAGES = ['en', 'de', 'pt', 'es'];

/** All texts that the component shows, one row each; `{…}` is a placeholder. */
const TEXTS = {
  map: ['Trip map', 'Fahrtenkarte', 'Mapa de viagens', 'Mapa de viajes'],
  mapCanvas: ['Map', 'Karte', 'Mapa', 'Mapa'],
  loading: ['Loading trips…', 'Fahrten werden geladen…', 'Carregando viagens…', 'Cargando viajes…'],
  empty: ['No trips here', 'Keine Fahrten', 'Nenhuma viagem', 'Ningún viaje'],
  emptyHint: [
    'There are no trips in this period.',
    'In diesem Zeitraum gibt es keine Fahrten.',
    'Não há viagens neste período.',
    'No hay viajes en este período.',
  ],
  error: [
    'The trips could not be loaded',
    'Die Fahrten konnten nicht geladen werden',
    'Não foi possível carregar as viagens',
    'No se pudieron cargar los viajes',
  ],
  errorHint: [
    'Please try again in a moment.',
    'Bitte versuchen Sie es gleich noch einmal.',
    'Tente novamente em instantes.',
    'Inténtelo de nuevo en un momento.',
  ],
  notHere: [
    'This map cannot be shown here',
    'Diese Karte kann hier nicht gezeigt werden',
    'Este mapa não pode ser mostrado aqui',
    'Este mapa no se puede mostrar aquí',
  ],
  notHereHint: [
    'Please let the site owner know.',
    'Bitte sagen Sie es den Betreibern dieser Seite.',
    'Avise os responsáveis por esta página.',
    'Avise a los responsables de esta página.',
  ],
  mapError: [
    'The map could not be shown',
    'Die Karte konnte nicht angezeigt werden',
    'Não foi possível mostrar o mapa',
    'No se pudo mostrar el mapa',
  ],
  linesOnly: [
    'Lines only, without a map',
    'Nur Linien, ohne Karte',
    'Apenas linhas, sem mapa',
    'Solo líneas, sin mapa',
  ],
  retry: ['Try again', 'Erneut versuchen', 'Tentar novamente', 'Reintentar'],
  resume: ['Use this map', 'Diese Karte benutzen', 'Usar este mapa', 'Usar este mapa'],
  attribution: ['Attribution', 'Quellenangabe', 'Atribuição', 'Atribución'],
  zoomIn: ['Zoom in', 'Vergrößern', 'Aumentar o zoom', 'Acercar'],
  zoomOut: ['Zoom out', 'Verkleinern', 'Diminuir o zoom', 'Alejar'],
  wholeRoute: [
    'Show the whole route',
    'Ganze Strecke zeigen',
    'Mostrar o trajeto inteiro',
    'Mostrar el recorrido completo',
  ],
  enterFullscreen: ['Enter fullscreen', 'Vollbild', 'Entrar em tela cheia', 'Pantalla completa'],
  exitFullscreen: ['Exit fullscreen', 'Vollbild beenden', 'Sair da tela cheia', 'Salir de pantalla completa'],
  zoomByKey: [
    'Use {key} + scroll to zoom the map',
    'Zum Zoomen der Karte {key} + Scrollen',
    'Use {key} + rolagem para ampliar o mapa',
    'Use {key} + desplazamiento para ampliar el mapa',
  ],
  moveByFingers: [
    'Use two fingers to move the map',
    'Karte mit zwei Fingern verschieben',
    'Use dois dedos para mover o mapa',
    'Use dos dedos para mover el mapa',
  ],
  signIn: ['Please sign in again', 'Bitte erneut anmelden', 'Entre novamente', 'Inicie sesión de nuevo'],
  signInHint: [
    'Access to this map has ended.',
    'Der Zugriff auf diese Karte ist abgelaufen.',
    'O acesso a este mapa terminou.',
    'El acceso a este mapa ha terminado.',
  ],
  start: ['Start', 'Start', 'Partida', 'Salida'],
  stop: ['Stop', 'Halt', 'Parada', 'Parada'],
  end: ['End', 'Ziel', 'Chegada', 'Llegada'],
  departed: ['Departed', 'Abfahrt', 'Saída', 'Salida'],
  arrived: ['Arrived', 'Ankunft', 'Chegada', 'Llegada'],
  stayed: ['Stayed', 'Dauer', 'Duração', 'Duración'],
  nextStop: ['Next stop', 'Nächster Halt', 'Próxima parada', 'Próxima parada'],
  openInMaps: ['Open in maps', 'In Karten öffnen', 'Abrir no mapa', 'Abrir en mapas'],
  close: ['Close', 'Schließen', 'Fechar', 'Cerrar'],
  findingAddress: [
    'Looking up the address…',
    'Adresse wird gesucht…',
    'Procurando o endereço…',
    'Buscando la dirección…',
  ],
  noAddress: ['No address found', 'Keine Adresse gefunden', 'Endereço não encontrado', 'Dirección no encontrada'],
  leftOut: [
    '{count} trips do not fit on this image',
    '{count} Fahrten passen nicht auf dieses Bild',
    '{count} viagens não cabem nesta imagem',
    '{count} viajes no caben en esta imagen',
  ],
  trip: ['Trip', 'Fahrt', 'Viagem', 'Viaje'],
  oneTrip: ['1 trip', '1 Fahrt', '1 viagem', '1 viaje'],
  trips: ['{count} trips', '{count} Fahrten', '{count} viagens', '{count} viajes'],
  tripList: ['Trips', 'Fahrten', 'Viagens', 'Viajes'],
  allTrips: ['All trips', 'Alle Fahrten', 'Todas as viagens', 'Todos los viajes'],
  speed: ['Speed', 'Geschwindigkeit', 'Velocidade', 'Velocidad'],
  replay: ['Replay', 'Wiedergabe', 'Reprodução', 'Reproducción'],
  noReplay: ['Nothing to replay', 'Keine Wiedergabe möglich', 'Nada para reproduzir', 'Nada que reproducir'],
  play: ['Play', 'Abspielen', 'Reproduzir', 'Reproducir'],
  pause: ['Pause', 'Anhalten', 'Pausar', 'Pausar'],
  moment: ['Moment', 'Zeitpunkt', 'Momento', 'Momento'],
  rate: ['Rate', 'Tempo', 'Ritmo', 'Ritmo'],
  follow: ['Follow the vehicle', 'Fahrzeug folgen', 'Seguir o veículo', 'Seguir el vehículo'],
  moving: ['Moving', 'Fährt', 'Em movimento', 'En marcha'],
  stopped: ['Stopped', 'Steht', 'Parado', 'Detenido'],
  gap: ['No positions', 'Keine Positionen', 'Sem posições', 'Sin posiciones'],
  live: ['Live', 'Live', 'Ao vivo', 'En vivo'],
  awaiting: ['Waiting for a position', 'Noch keine Position', 'Aguardando uma posição', 'Esperando una posición'],
  offlineSince: ['Offline since {time}', 'Offline seit {time}', 'Offline desde {time}', 'Sin conexión desde {time}'],
  reconnecting: ['Reconnecting…', 'Neue Verbindung…', 'Reconectando…', 'Reconectando…'],
  noAccess: ['No access', 'Kein Zugriff', 'Sem acesso', 'Sin acceso'],
  vehicle: ['Vehicle {number}', 'Fahrzeug {number}', 'Veículo {number}', 'Vehículo {number}'],
  vehicles: ['Vehicles', 'Fahrzeuge', 'Veículos', 'Vehículos'],
  search: ['Search', 'Suchen', 'Pesquisar', 'Buscar'],
  unknown: ['Not known', 'Unbekannt', 'Desconhecida', 'Desconocida'],
} as const;

/** Texts in one language. */
export type Strings = Readonly<Record<keyof typeof TEXTS, string>>;

const STRINGS = LANGUAGES.map((_, column) => {
  return Object.fromEntries(Object.entries(TEXTS).map(([name, texts]) => [name, texts[column]])) as Strings;
});

/** Returns true if the component speaks the language of a BCP 47 tag. */
export function speaks(locale: string): boolean {
  return columnOf(locale) >= 0;
}

/** Returns the texts in the language of a BCP 47 tag, in English if the component does not speak it. */
export function stringsFor(locale: string): Strings {
  return STRINGS[Math.max(0, columnOf(locale))] as Strings;
}

function columnOf(locale: string): number {
  return LANGUAGES.indexOf(locale.split('-')[0]?.toLowerCase() ?? '');
}
