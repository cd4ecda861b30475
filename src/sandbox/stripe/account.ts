import { randomBytes } from 'node:crypto'
import type { World } from '../core/world.ts'
import type { Kind, Kinds, StripeEvent, StripeObject, WebhookEndpoint } from './model.ts'
import { type Objects, presentObject } from './present.ts'
import { noSuch } from './stripe-error.ts'
import { fillBlank } from './wire/wire.ts'

/** The version of the API whose forms the answers have. */
export const API_VERSION = '2026-10-28.endive'
const EVENT_DAYS = 30
const DAY = 86_400

const prefixes: Record<Kind, string> = {
  product: 'prod',
  price: 'price',
  customer: 'cus',
  payment_method: 'pm',
  setup_intent: 'seti',
  payment_intent: 'pi',
  charge: 'ch',
  refund: 're',
  dispute: 'du',
  'checkout.session': 'cs_test',
  subscription: 'sub',
  invoice: 'in',
  invoiceitem: 'ii',
  invoice_payment: 'inpay',
  'billing_portal.session': 'bps',
  event: 'evt',
  webhook_endpoint: 'we',
}

export const randomText = (length: number): string =>
  [...randomBytes(length)]
    .map(byte => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'[byte % 62])
    .join('')
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`

/** An event on its way to an endpoint. */
export interface Delivery {
  id: string
  event: string
  endpoint: string
  /** World time in seconds, as `at` of the attempts. */
  dueAt: number
  attempts: { at: number; status: number | null; error: string | null }[]
  isDone: boolean
}

/** What happens when the last attempt to collect an invoice has failed. */
export type AfterLastAttempt = 'cancel' | 'unpaid' | 'past_due'
export interface BillingSettings {
  /** Days between an attempt to collect and the next. */
  retryAfterDays: number[]
  afterLastAttempt: AfterLastAttempt
}
const defaultSettings: BillingSettings = { retryAfterDays: [3, 5, 7], afterLastAttempt: 'cancel' }

interface State {
  objects: StripeObject[]
  deliveries: Delivery[]
  settings: BillingSettings
}

/**
 * One account of the payment provider: its objects, events and settings. They change only inside `transaction`, by `add`,
 * `change` and `remove`; never alter an object in place.
 */
export class Account implements Objects {
  readonly world: World
  /** What a request of the moment says of itself, for the events that it causes. */
  request: StripeEvent['request'] = null
  settings = structuredClone(defaultSettings)
  deliveries: Delivery[] = []
  private readonly objects = new Map<Kind, Map<string, StripeObject>>()
  private undo: (() => void)[] = []
  private depth = 0
  /** The moment that the account is in while it works off what became due; else null. */
  private dueAt: number | null = null
  private readonly committed: (() => void)[] = []

  constructor(world: World) {
    this.world = world
    world.registerState<State>('stripe', {
      dump: () => ({
        objects: [...this.objects.values()].flatMap(map => [...map.values()]),
        deliveries: this.deliveries,
        settings: this.settings,
      }),
      restore: ({ objects, deliveries, settings }) => {
        this.clear()
        for (const one of objects) this.mapOf(one.object as Kind).set(one.id, one)
        this.deliveries = deliveries
        this.settings = settings
      },
      reset: () => this.clear(),
    })
  }

  private clear(): void {
    this.objects.clear()
    this.deliveries = []
    this.settings = structuredClone(defaultSettings)
  }

  /** Seconds since 1970. */
  now(): number {
    return this.dueAt ?? Math.floor(this.world.clock.now().getTime() / 1000)
  }

  /** Runs what became due at this moment as if it were now. */
  at(moment: number, verb: () => void): void {
    this.dueAt = moment
    try {
      this.transaction(verb)
    } finally {
      this.dueAt = null
    }
  }

  /** Calls the listener after each change, once it is on disk. */
  onCommit(listener: () => void): void {
    this.committed.push(listener)
  }

  /** Runs the verb; all of its changes are on disk when it returns, and none remain when it throws (unless the error keeps them). */
  transaction<T>(verb: () => T): T {
    const start = this.undo.length
    this.depth++
    try {
      return verb()
    } catch (error) {
      if (!(error as { keeps?: boolean }).keeps) this.revertTo(start)
      throw error
    } finally {
      this.depth--
      if (this.depth === 0 && this.undo.length > 0) {
        this.undo = []
        this.world.saveState('stripe')
        for (const listener of this.committed) listener()
      }
    }
  }

  /** What the verb returns; nothing that it changes remains. */
  tentatively<T>(verb: () => T): T {
    const start = this.undo.length
    try {
      return verb()
    } finally {
      this.revertTo(start)
    }
  }

  private revertTo(start: number): void {
    for (const revert of this.undo.splice(start).reverse()) revert()
  }

  private mapOf(kind: Kind): Map<string, StripeObject> {
    let map = this.objects.get(kind)
    if (!map) this.objects.set(kind, (map = new Map()))
    return map
  }

  /** Adds an object; fields that are not given are as when nothing was ever said of them. */
  add<K extends Kind>(kind: K, fields: Partial<Kinds[K]> & object): Kinds[K] {
    const id = fields.id ?? newId(prefixes[kind])
    const object = fillBlank(kind, { created: this.now(), ...fields, id }) as unknown as Kinds[K]
    this.mapOf(kind).set(id, object)
    this.undo.push(() => this.mapOf(kind).delete(id))
    return object
  }

  /** Sets fields of an object; answers the fields' former values. */
  change<T extends StripeObject>(object: T, fields: Partial<T> & object): Partial<T> {
    const former = Object.fromEntries(Object.keys(fields).map(name => [name, object[name as keyof T]])) as Partial<T>
    Object.assign(object, fields)
    this.undo.push(() => Object.assign(object, former))
    return former
  }

  /** Sets fields of an object and announces it, if any of them differ. */
  update<T extends StripeObject>(object: T, fields: Partial<T> & object, type = eventTypeOf(object, 'updated')): void {
    const before = presentObject(this, object)
    this.change(object, fields)
    const after = presentObject(this, object)
    const previous = Object.fromEntries(
      Object.entries(before).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name])),
    )
    if (Object.keys(previous).length > 0) this.announce(type, object, previous)
  }

  remove(object: StripeObject): void {
    const map = this.mapOf(object.object as Kind)
    map.delete(object.id)
    this.undo.push(() => map.set(object.id, object))
  }

  find<K extends Kind>(kind: K, id: string | null | undefined): Kinds[K] | null {
    return (this.mapOf(kind).get(id ?? '') as Kinds[K] | undefined) ?? null
  }

  get<K extends Kind>(kind: K, id: string, param?: string): Kinds[K] {
    const found = this.find(kind, id)
    if (!found) throw noSuch(kind, id, param)
    return found
  }

  findAny(id: string): StripeObject | null {
    for (const map of this.objects.values()) {
      const found = map.get(id)
      if (found) return found
    }
    return null
  }

  all<K extends Kind>(kind: K): Kinds[K][] {
    return [...this.mapOf(kind).values()] as unknown as Kinds[K][]
  }

  /** Records an event with the object as it is now, and prepares its delivery to every endpoint that listens. */
  announce(type: string, object: StripeObject, previous?: object): void {
    const data = { object: presentObject(this, object), ...(previous && { previous_attributes: previous }) }
    const listening = this.all('webhook_endpoint').filter(one => isListening(one, type))
    const fields = { api_version: API_VERSION, type, data, pending_webhooks: listening.length }
    const event = this.add('event', { ...fields, request: this.request ?? { id: null, idempotency_key: null } })
    const { deliveries } = this
    this.deliveries = [
      ...deliveries,
      ...listening.map(
        (endpoint): Delivery => ({
          id: newId('dlv'),
          event: event.id,
          endpoint: endpoint.id,
          dueAt: event.created,
          attempts: [],
          isDone: false,
        }),
      ),
    ]
    this.undo.push(() => (this.deliveries = deliveries))
  }

  /** Forgets events after 30 days, as the API does. */
  forgetOldEvents(): void {
    const oldest = this.now() - EVENT_DAYS * DAY
    const [first] = this.mapOf('event').values()
    if (!first || first.created >= oldest) return
    for (const event of this.all('event')) if (event.created < oldest) this.remove(event)
    const { deliveries } = this
    this.deliveries = deliveries.filter(one => this.find('event', one.event))
    this.undo.push(() => (this.deliveries = deliveries))
  }
}

const isListening = ({ status, enabled_events: events }: WebhookEndpoint, type: string): boolean =>
  status === 'enabled' && (events.includes('*') || events.includes(type))

const families: Record<string, string> = {
  subscription: 'customer.subscription',
  'checkout.session': 'checkout.session',
}
/** `customer.subscription.updated`, `invoice.updated`. */
export const eventTypeOf = ({ object }: StripeObject, verb: string): string => `${families[object] ?? object}.${verb}`
