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
] as const
export type FaultKind = (typeof faultKinds)[number]

/** Kinds that only some vendors have; the others apply to all. */
const vendorsOf: Partial<Record<FaultKind, string[]>> = {
  partial: ['ads'],
  'late-list': ['ads'],
  'report-stuck': ['ads', 'sp'],
  'report-failed': ['ads', 'sp'],
  'duplicate-delivery': ['sqs'],
  'out-of-order': ['sqs'],
}

/** Whether a vendor has this kind of fault. */
export const isAvailable = (kind: FaultKind, vendor: string): boolean => vendorsOf[kind]?.includes(vendor) ?? true

export interface FaultMatch {
  /** First folder of the address: ads, sp, lwa, sqs, s3, mail ... */
  vendor: string
  method?: string | undefined
  /** Path below the vendor (and its region), or the whole path; `*` matches anything. Absent: every path. */
  path?: string | undefined
  /** `na`, `eu` or `fe`, where the vendor has regions. */
  region?: string | undefined
}

export interface Fault {
  id: number
  match: FaultMatch
  kind: FaultKind
  /** How many more requests it affects; at 0 it is removed. */
  times: number
  /** How many matching requests pass first. */
  skip: number
  /** throttle: seconds of Retry-After; null leaves the header out, undefined does as the vendor does. */
  retryAfterSeconds: number | null | undefined
  /** status: the status answered. */
  status: number
  /** status: the body instead of the vendor's own. */
  body: unknown
  /** slow: how long the answer is delayed. late-list: how old an entity is when lists begin to show it. */
  delayMs: number
  /** partial: which items fail (every second one when absent), and why. */
  items: number[] | null
  selector: string
  reason: string
}

export interface RequestPlace {
  vendor: string
  region: string | null
  method: string
  path: string
}

const regionsInPaths = new Set(['na', 'eu', 'fe'])

/** Where a request's path leads: vendor, region if any. */
export function placeOfPath(method: string, path: string): RequestPlace {
  const [, vendor = '', second = ''] = path.split('/')
  return { vendor: vendor || 'console', region: regionsInPaths.has(second) ? second : null, method, path }
}

const pathBelow = ({ vendor, region, path }: RequestPlace): string =>
  path.slice(vendor.length + 1 + (region ? region.length + 1 : 0)) || '/'

const wildcard = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`)

function meets(match: FaultMatch, place: RequestPlace): boolean {
  if (match.vendor !== place.vendor) return false
  if (match.method && match.method.toUpperCase() !== place.method) return false
  if (match.region && match.region.toLowerCase() !== place.region) return false
  if (!match.path) return true
  const pattern = wildcard(match.path)
  return pattern.test(place.path) || pattern.test(pathBelow(place))
}

export type NewFault = Pick<Fault, 'match' | 'kind'> & Partial<Fault>

export interface Faults {
  add(fault: NewFault): Fault
  /** The first fault that affects this request, counted down; null when none does. */
  take(place: RequestPlace): Fault | null
  list(): Fault[]
  clear(): void
}

/** No faults yet. */
export function createFaults(): Faults {
  let faults: Fault[] = []
  let last = 0
  return {
    add(fault) {
      const added: Fault = {
        times: 1,
        skip: 0,
        retryAfterSeconds: undefined,
        status: 500,
        body: undefined,
        delayMs: 1000,
        items: null,
        selector: 'internalServerError',
        reason: 'INTERNAL_ERROR',
        ...fault,
        id: ++last,
      }
      faults.push(added)
      return added
    },
    take(place) {
      for (const fault of faults) {
        if (!meets(fault.match, place)) continue
        if (fault.skip > 0) {
          fault.skip--
          continue
        }
        fault.times--
        faults = faults.filter(one => one.times > 0)
        return fault
      }
      return null
    },
    list: () => faults,
    clear() {
      faults = []
    },
  }
}
