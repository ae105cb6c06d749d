/** Places the tasks of a graph: a column for each layer, with as few crossings as a few sweeps can reach. In pixels. */
import { forwardEdges, layersOf, type Step } from './task-graph.js'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface PlacedEdge {
  readonly from: number
  readonly to: number
  /** From the end of a task to the beginning of another one, and where it passes between. */
  readonly points: readonly Point[]
}

export interface GraphLayout {
  readonly width: number
  readonly height: number
  /** The upper corner of each task, at its beginning. */
  readonly corners: ReadonlyMap<number, Point>
  readonly edges: readonly PlacedEdge[]
}

export const NODE_WIDTH = 192
export const NODE_HEIGHT = 64
const GAP_BESIDE = 56
const GAP_BELOW = 16
/** Height of the place through which an edge passes a layer. */
const PASS_HEIGHT = 4
const GAP_OF_PASSES = 6
const SWEEPS = 4
/** Beyond that, edges are straight: places for them would be more than anybody can follow. */
const MOST_PASSES = 4000
/** Columns of tasks that are in no order. */
const FEWEST_COLUMNS = 4

/** The place of a task, or of an edge that passes its layer. */
interface Slot {
  readonly height: number
  readonly before: Slot[]
  readonly after: Slot[]
  /** Position in the layer. */
  place: number
  /** The middle. */
  y: number
}

/** @param ordered tasks of `inOrder` */
export function layOut(ordered: readonly Step[]): GraphLayout {
  const edges = forwardEdges(ordered)
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const layerOf = layersOf(ordered)
  const layers: Slot[][] = []
  const slots = new Map<number, Slot>()
  for (const { id } of ordered) if (linked.has(id)) slots.set(id, added(layers, layerOf.get(id) ?? 0, NODE_HEIGHT))
  const span = ({ from, to }: { from: number; to: number }) => (layerOf.get(to) ?? 0) - (layerOf.get(from) ?? 0)
  const hasPasses = edges.reduce((sum, edge) => sum + span(edge) - 1, 0) <= MOST_PASSES
  const routes = edges.map(({ from, to }) => {
    const [begin, end] = [slots.get(from), slots.get(to)]
    const first = (layerOf.get(from) ?? 0) + 1
    const passes = hasPasses ? Array.from({ length: span({ from, to }) - 1 }, (_, index) => first + index) : []
    const between = passes.map((layer) => ({ layer, slot: added(layers, layer, PASS_HEIGHT) }))
    const route = [begin, ...between.map(({ slot }) => slot), end].filter((slot) => slot !== undefined)
    for (const [index, slot] of route.slice(1).entries()) join(route[index], slot)
    return { from, to, between }
  })
  order(layers)
  spread(layers)

  const top = Math.min(0, ...layers.map((layer) => (layer[0]?.y ?? 0) - (layer[0]?.height ?? 0) / 2))
  const columnAt = (layer: number) => layer * (NODE_WIDTH + GAP_BESIDE)
  const corners = new Map<number, Point>()
  for (const [id, { y }] of slots) corners.set(id, { x: columnAt(layerOf.get(id) ?? 0), y: y - NODE_HEIGHT / 2 - top })
  const bottom = Math.max(
    0,
    ...layers.flatMap((layer) => layer.slice(-1).map(({ height, y }) => y + height / 2 - top + GAP_BELOW)),
  )
  const columns = Math.max(layers.length, FEWEST_COLUMNS)
  const free = ordered.filter(({ id }) => !linked.has(id))
  for (const [index, { id }] of free.entries()) {
    const row = Math.floor(index / columns)
    corners.set(id, { x: columnAt(index % columns), y: bottom + row * (NODE_HEIGHT + GAP_BELOW) })
  }
  const points = [...corners.values()]
  return {
    width: Math.max(0, ...points.map(({ x }) => x + NODE_WIDTH)),
    height: Math.max(0, ...points.map(({ y }) => y + NODE_HEIGHT)),
    corners,
    edges: routes.map(({ between, from, to }) => ({ from, to, points: pointsOf(from, to, between) })),
  }

  function pointsOf(from: number, to: number, between: readonly { readonly layer: number; readonly slot: Slot }[]) {
    const passed = between.flatMap(({ layer, slot }) => {
      const y = slot.y - top
      return [
        { x: columnAt(layer), y },
        { x: columnAt(layer) + NODE_WIDTH, y },
      ]
    })
    const [begin, end] = [corners.get(from), corners.get(to)]
    return [
      ...(begin ? [{ x: begin.x + NODE_WIDTH, y: begin.y + NODE_HEIGHT / 2 }] : []),
      ...passed,
      ...(end ? [{ x: end.x, y: end.y + NODE_HEIGHT / 2 }] : []),
    ]
  }
}

function added(layers: Slot[][], layer: number, height: number): Slot {
  while (layers.length <= layer) layers.push([])
  const of = layers[layer] ?? []
  const slot: Slot = { height, before: [], after: [], place: of.length, y: 0 }
  of.push(slot)
  return slot
}

function join(before: Slot | undefined, after: Slot): void {
  before?.after.push(after)
  if (before) after.before.push(before)
}

/** Puts each slot into the middle of its neighbours, layer by layer, there and back. */
function order(layers: readonly Slot[][]): void {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isBack = sweep % 2 === 1
    for (const layer of isBack ? layers.toReversed() : layers) {
      const middles = new Map(layer.map((slot) => [slot, meanOf(isBack ? slot.after : slot.before, 'place') ?? slot.place]))
      layer.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0))
      for (const [place, slot] of layer.entries()) slot.place = place
    }
  }
}

/** Gives each slot its height, near its neighbours, and none over another. */
function spread(layers: readonly Slot[][]): void {
  for (const layer of layers) settle(layer, (slot) => meanOf(slot.before, 'y'))
  for (const layer of layers.toReversed()) settle(layer, (slot) => meanOf([...slot.before, ...slot.after], 'y'))
  for (const layer of layers) settle(layer, (slot) => meanOf([...slot.before, ...slot.after], 'y'))
}

function settle(layer: readonly Slot[], wishOf: (slot: Slot) => number | null): void {
  const wishes = layer.map((slot) => wishOf(slot) ?? slot.y)
  let end = Number.NEGATIVE_INFINITY
  let moved = 0
  for (const [index, slot] of layer.entries()) {
    const wish = wishes[index] ?? 0
    const isBundle = slot.height === PASS_HEIGHT && layer[index - 1]?.height === PASS_HEIGHT
    slot.y = Math.max(wish, end + (isBundle ? GAP_OF_PASSES : GAP_BELOW) + slot.height / 2)
    moved += slot.y - wish
    end = slot.y + slot.height / 2
  }
  const shift = layer.length > 0 ? moved / layer.length : 0
  for (const slot of layer) slot.y -= shift
}

function meanOf(slots: readonly Slot[], of: 'place' | 'y'): number | null {
  return slots.length === 0 ? null : slots.reduce((sum, slot) => sum + slot[of], 0) / slots.length
}
