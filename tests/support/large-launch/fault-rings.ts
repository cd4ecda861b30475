import type { FaultKind } from '#sandbox/core/faults.ts'
import type { LaunchScene } from '../launch-scene.ts'

/** A kind of fault with its parameters. */
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
// It happened, but nobody can know; or only in part; or late. Of a list, what was made just now is missing.
const writing: Ring = [
  { kind: 'drop-after' },
  { kind: 'malformed' },
  { kind: 'partial', items: [0], selector: 'internalServerError', reason: 'INTERNAL_ERROR' },
  { kind: 'slow', delayMs: 20 },
]
const listing: Ring = [writing[0], writing[1], { kind: 'late-list', delayMs: 600_000 }, writing[3]]
const advising: readonly Order[] = [writing[0], writing[1], writing[0], writing[3]]

/** How many launches it takes until every call has met everything. */
export const ROTATIONS = 4

/** Whether a call makes something. */
export const isMaking = (call: string) => /^POST \/sp\/[a-zA-Z]+$/.test(call)

function answering(call: string) {
  if (isMaking(call) || call.startsWith('PUT ')) return writing
  return call.endsWith('/list') ? listing : advising
}

/** Whether a call that met this, or nothing, was carried out all the same, at least in part. */
export const isCarriedOut = (fault: string | null) => ![...refusing, ...losing].some(({ kind }) => kind === fault)

/** Everything that a call can meet. */
export const faultsOf = (call: string): Order[] => [...refusing, ...losing, ...answering(call)]

/** The calls by which a launch looks after an unclear answer, for each call that makes something. */
export const looksOf = (counts: CallCounts): string[] => [...counts.keys()].filter(isMaking).map(call => `${call}/list`)

/**
 * Orders the faults of one launch. Each call meets one that refuses and one that loses it at its first batch, one after
 * the other, and one of its answer at its last. Which ones moves on by one from call to call and from launch to launch.
 */
export function orderFaults(scene: LaunchScene, counts: CallCounts, rotation: number): void {
  const looks = looksOf(counts).map(look => [look, 1] as const)
  for (const [i, [call, batches]] of [...counts, ...looks].entries()) {
    const [method = '', path] = call.split(' ')
    const at = (rotation + i) % ROTATIONS
    for (const [ring, skip] of [
      [refusing, 0] as const,
      [losing, 0] as const,
      [answering(call), batches - 1] as const,
    ]) {
      const order = ring[at]
      if (order) scene.world.faults.add({ match: { vendor: 'ads', method, path }, skip, ...order })
    }
  }
}

/** What a fault is called in the sandbox's log. */
export const nameOf = ({ kind, status }: Order): string => (kind === 'status' ? `status ${String(status)}` : kind)
