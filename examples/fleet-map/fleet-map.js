/**
 * A page of the console: where the vehicles are. It runs in the browser, is made with the kit of the console, and reads the API as the
 * person who looks at it.
 *
 * @type {import('koa-itsm').ConsoleModule}
 */
export default function fleetMap({ components, format, h, useLoaded, api }) {
  const { Empty, Link, Loading, Problem, RecordTable } = components
  const fields = ['plate', 'driver', 'latitude', 'longitude', 'updated_at']

  return function FleetMap() {
    const { data, error, reload } = useLoaded('vehicles', (signal) =>
      api.get(`/vehicles?fields=${fields.join()}&latitude=!&per_page=100`, signal),
    )
    if (error !== undefined) return h(Problem, { error, retry: reload })
    if (!data) return h(Loading, null)
    return [
      h('h1', null, `Fleet map (${format.number(data.length)})`),
      data.length === 0
        ? h(Empty, null, 'No vehicle has sent its position yet.')
        : h('svg', { viewBox: '0 0 100 50', role: 'group', 'aria-label': 'Map' }, ...pointsOf(data).map(pointOf)),
      h(RecordTable, { type: 'vehicle', columns: fields, records: data }),
    ]
  }

  function pointOf({ x, y, vehicle }) {
    return h(Link, { to: `/vehicles/${vehicle.id}` }, [
      h('circle', { cx: x, cy: y, r: 1.2, fill: 'currentColor' }),
      h('text', { x: x + 2, y: y + 1, 'font-size': 3, fill: 'currentColor' }, vehicle.plate),
    ])
  }
}

/** Places in the drawing: as far north and east as in the world, in the part of it where the vehicles are. */
function pointsOf(vehicles) {
  const [west, east] = rangeOf(vehicles.map(({ longitude }) => longitude))
  const [south, north] = rangeOf(vehicles.map(({ latitude }) => latitude))
  return vehicles.map((vehicle) => ({
    vehicle,
    x: 5 + (80 * (vehicle.longitude - west)) / (east - west),
    y: 45 - (40 * (vehicle.latitude - south)) / (north - south),
  }))
}

function rangeOf(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return most > least ? [least, most] : [least - 1, most + 1]
}
