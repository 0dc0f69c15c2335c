"""A session of a client that openapi-python-client has made: python3 session.py BASE_URL API_KEY CA_FILE"""

import json
import ssl
import sys

from waybridge_client import AuthenticatedClient
from waybridge_client.api.vehicle import create_vehicle, delete_vehicle, get_vehicle, list_vehicles, update_vehicle
from waybridge_client.api.route import last_positions
from waybridge_client.models.errors import Errors
from waybridge_client.models.vehicle_input import VehicleInput
from waybridge_client.types import UNSET

base_url, api_key, ca_file = sys.argv[1:]
client = AuthenticatedClient(
    base_url=base_url,
    token=api_key,
    prefix="",
    auth_header_name="Service-Api-Key",
    verify_ssl=ssl.create_default_context(cafile=ca_file),
)

for nickname in ["Van 1", "Van 2", "Van 3"]:
    vehicle = create_vehicle.sync(client=client, body=VehicleInput(nickname=nickname, year=2024))

nicknames = []
cursor = UNSET
while True:
    page = list_vehicles.sync(client=client, size=2, cursor=cursor)
    nicknames += [listed.nickname for listed in page.vehicles]
    cursor = page.cursor
    if not cursor:
        break

updated = update_vehicle.sync(vehicle.key, client=client, body=VehicleInput(nickname="Lorry", year=None))
deleted = delete_vehicle.sync(vehicle.key, client=client)
absent = get_vehicle.sync_detailed(vehicle.key, client=client)
wrong = create_vehicle.sync(client=client, body=VehicleInput(year=1066))
assert isinstance(wrong, Errors)

positions = last_positions.sync(client=client, limit=2)

print(
    json.dumps(
        {
            "positions": [position.name for position in positions],
            "nicknames": nicknames,
            "updated": [updated.nickname, updated.year],
            "deleted": deleted.deleted,
            "absent": absent.status_code,
            "wrong": wrong.errors,
        }
    )
)
