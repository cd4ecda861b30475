import type { FaultKind } from '#sandbox/core/faults.ts'
import type { LaunchScene } from '../launch-scene.ts'

/** A kind of fault with what it needs to be told. */
export type Order = { kind: FaultKind } & Record<string, unknown>

/** How often a launch calls what, undisturbed, in the order of the first calls: `POST /sp/keywords`, 3. */
export type CallCounts = ReadonlyMap<string, number>

/** Longer than the door waits for its turn, so that the launch itself must rest. */
export const LONG_REST_S = 60

type Ring = readonly [Order, Order, Order, Order]

// Nothing happened, and that is certain.
const refusing: Ring = [
  { kind: 'throttle', retryAfterSeconds: 0.2 },
  { kind: 'expired-token' },
  { kind: 'revoked-grant' },
  { kind: 'throttle', retryAfterSeconds: LONG_REST_S },
]
// Nothing happened, and nobody can know.
const losing: Ring = [
  { kind: 'drop-before' },
  { kind: 'hang' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
]
// It happened, but nobody can know; or only in part; or late.
const doing: Ring = [
  { kind: 'drop-after' },
  { kind: 'malformed' },
  { kind: 'partial', items: [0], selector: 'internalServerError', reason: 'INTERNAL_ERROR' },
  { kind: 'slow', delayMs: 20 },
]
/** Of batches alone. */
const isOfWrites = ({ kind }: Order) => kind === 'partial'

/** How many launches it takes until every call has met everything. */
export const ROTATIONS = 4

/** Everything that a call can meet; those that only a batch of items knows are left out for reads. */
export const faultsOf = (call: string): Order[] =>
  [...refusing, ...losing, ...doing].filter(order => isWrite(call) || !isOfWrites(order))

/** Whether a call makes something. */
export const isMaking = (call: string) => /^POST \/sp\/[a-zA-Z]+$/.test(call)
const isWrite = (call: string) => isMaking(call) || call.startsWith('PUT ')

/** The calls by which a launch looks after an unclear answer, for each call that makes something. */
export const looksOf = (counts: CallCounts): string[] => [...counts.keys()].filter(isMaking).map(call => `${call}/list`)

/**
 * Orders the faults of one launch: each call meets one of either ring at its first batch, one after the other, and one of
 * the third at its last. Which ones it is moves on by one from call to call and from launch to launch.
 */
export const orderFaults = (scene: LaunchScene, counts: CallCounts, rotation: number): void => {
  const add = (call: string, order: Order, skip: number) => {
    const [method = '', path] = call.split(' ')
    scene.world.faults.add({ match: { vendor: 'ads', method, path }, skip, ...order })
  }
  const turn = (call: string, batches: number, at: number) => {
    for (const ring of [refusing, losing]) add(call, ring[at % ROTATIONS] ?? refusing[0], 0)
    const last = doing[at % ROTATIONS] ?? doing[0]
    if (isWrite(call) || !isOfWrites(last)) add(call, last, batches - 1)
  }
  let at = rotation
  for (const [call, batches] of counts) turn(call, batches, at++)
  for (const look of looksOf(counts)) turn(look, 1, at++)
}

/** What a fault is called in the sandbox's log. */
export const nameOf = ({ kind, status }: Order): string => (kind === 'status' ? `status ${String(status)}` : kind)
