/** Gets a token for one vehicle from the server of this page: `{ token, expires_in }`. */
export async function fetchToken(vehicleKey, path = 'demo/token') {
  return post(path, { vehicle_key: vehicleKey }, {});
}

/** All trips of a vehicle with their starts, the earliest first; address and operation are attributes of the page. */
export async function fetchTrips({ graphqlUrl, tripsQuery: query }, token, vehicleKey) {
  const trips = [];
  for (let after = null, more = true; more; ) {
    const variables = { vehicle: vehicleKey, after };
    const { data, errors } = await post(graphqlUrl, { query, variables }, { Authorization: `Bearer ${token}` });
    if (errors) throw new Error(errors[0].message);
    trips.push(...data.trips.nodes.map(({ key, start_point }) => ({ key, started: new Date(start_point.timestamp) })));
    more = data.trips.page_info.has_next_page;
    after = data.trips.page_info.end_cursor;
  }
  return trips;
}

async function post(url, body, headers) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    credentials: 'omit',
  });
  if (!response.ok) throw new Error(`The service answered with status ${response.status}`);
  return response.json();
}
