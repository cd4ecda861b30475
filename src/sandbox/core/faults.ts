import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'

/** What can go wrong on the wire or behind it, on request. */
export const faultKinds = [
  'throttle',
  'status',
  'slow',
  'hang',
  'drop-before',
  'drop-after',
  'partial',
  'late-list',
  'malformed',
  'expired-token',
  'revoked-grant',
  'report-stuck',
  'report-failed',
  'duplicate-delivery',
  'out-of-order',
  'bad-signature',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** Kinds that only some vendors have; the others apply to all. */
const vendorsOf: Partial<Record<FaultKind, string[]>> = {
  partial: ['ads'],
  'late-list': ['ads'],
  'report-stuck': ['ads', 'sp'],
  'report-failed': ['ads', 'sp'],
  'duplicate-delivery': ['sqs', 'stripe-webhooks'],
  'out-of-order': ['sqs', 'stripe-webhooks'],
  'bad-signature': ['stripe-webhooks'],
}

export const isAvailable = (kind: FaultKind, vendor: string): boolean => vendorsOf[kind]?.includes(vendor) ?? true

export const newFault = z.strictObject({
  match: z.strictObject({
    /** First folder of the address: ads, sp, lwa, sqs, s3, mail ... */
    vendor: z.string(),
    method: z.string().optional(),
    /** Path below the vendor (and its region), or the whole path; `*` matches anything. Absent: every path. */
    path: z.string().optional(),
    /** `na`, `eu` or `fe`, where the vendor has regions. */
    region: z.string().optional(),
  }),
  kind: z.enum(faultKinds),
  /** How many more requests it affects; at 0 it is removed. */
  times: z.int().min(1).default(1),
  /** How many matching requests pass first. */
  skip: z.int().min(0).default(0),
  /** throttle: seconds of Retry-After; null leaves the header out, undefined does as the vendor does. */
  retryAfterSeconds: z.number().min(0).nullable().optional(),
  status: z.int().min(400).max(599).default(500),
  /** status: the body instead of the vendor's own. */
  body: z.unknown().optional(),
  /**
   * slow: how long the answer is delayed, at most until the faults are cleared. late-list: how old an entity is when lists begin to
   * show it.
   */
  delayMs: z.int().min(0).default(1000),
  /** partial: which items fail (every second one when null), and why. */
  items: z.array(z.int().min(0)).nullable().default(null),
  selector: z.string().default('internalServerError'),
  reason: z.string().default('INTERNAL_ERROR'),
})
export type NewFault = z.input<typeof newFault>
export type Fault = z.output<typeof newFault> & { id: number }

export interface RequestPlace {
  vendor: string
  region: string | null
  method: string
  path: string
}

/** Where a request's path leads: vendor, region if any. */
export function placeOfPath(method: string, path: string): RequestPlace {
  const [, vendor = '', second = ''] = path.split('/')
  return { vendor: vendor || 'console', region: ['na', 'eu', 'fe'].includes(second) ? second : null, method, path }
}

function meets(match: Fault['match'], { vendor, region, method, path }: RequestPlace): boolean {
  if (match.vendor !== vendor) return false
  if (match.method && match.method.toUpperCase() !== method) return false
  if (match.region && match.region.toLowerCase() !== region) return false
  if (!match.path) return true
  const pattern = new RegExp(`^${match.path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`)
  const below = path.slice(vendor.length + 1 + (region ? region.length + 1 : 0)) || '/'
  return pattern.test(path) || pattern.test(below)
}

export class Faults {
  private faults: Fault[] = []
  private lastId = 0
  private cleared = new AbortController()

  /** Throws when the fault is malformed. */
  add(fault: NewFault): Fault {
    const added = { ...newFault.parse(fault), id: ++this.lastId }
    this.faults.push(added)
    return added
  }

  /** The first fault that affects this request, counted down; null when none does. */
  take(place: RequestPlace): Fault | null {
    for (const fault of this.faults) {
      if (!meets(fault.match, place)) continue
      if (fault.skip > 0) {
        fault.skip--
        continue
      }
      fault.times--
      this.faults = this.faults.filter(one => one.times > 0)
      return fault
    }
    return null
  }

  list = (): Fault[] => this.faults

  /** Waits as long as a slow fault says, or until the faults are cleared. */
  async delay({ delayMs }: Fault): Promise<void> {
    const { signal } = this.cleared
    await wait(delayMs, undefined, { ref: false, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  clear(): void {
    this.faults = []
    this.cleared.abort()
    this.cleared = new AbortController()
  }
}
