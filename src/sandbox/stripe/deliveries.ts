import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Fault } from '../core/faults.ts'
import type { Account, Delivery } from './account.ts'
import { API_VERSION } from './account.ts'
import { presentObject } from './present.ts'

/** The name under which faults of deliveries are injected; their path is the type of the event. */
export const DELIVERIES = 'stripe-webhooks'
const HOUR = 3600
/** Waits after each failed attempt; together three days. */
const retryAfter = [300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 12 * HOUR, 12 * HOUR, 12 * HOUR, 18 * HOUR]
const TIMEOUT_MS = 10_000
/** How long a delivery that is to come out of order waits for a later one. */
const LATEST_MS = 1000

/** `Stripe-Signature` for a body. Its time is the machine's, as receivers check it. */
function signatureOf(body: string, secret: string): string {
  const at = Math.floor(Date.now() / 1000)
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}

/** Sends events to the endpoints of the account, again and again until they answer with 2xx. */
export class Deliveries {
  private readonly account: Account
  private readonly underWay = new Set<string>()
  /** Deliveries that wait for a later one to overtake them. */
  private readonly held: (() => void)[] = []
  private isClosed = false

  constructor(account: Account) {
    this.account = account
    account.onCommit(() => this.sendDue())
  }

  close(): void {
    this.isClosed = true
  }

  /** Starts every attempt that is due, one after the other for each endpoint. */
  sendDue(): void {
    const now = Math.floor(this.account.world.clock.now().getTime() / 1000)
    const due = this.account.deliveries.filter(one => !one.isDone && one.dueAt <= now && !this.underWay.has(one.id))
    for (const one of due) this.underWay.add(one.id)
    for (const group of Map.groupBy(due, one => one.endpoint).values()) void this.sendAll(group)
  }

  private async sendAll(deliveries: readonly Delivery[]): Promise<void> {
    for (const delivery of deliveries) {
      if (this.isClosed) return
      const event = this.account.find('event', delivery.event)
      const fault =
        event &&
        this.account.world.faults.take({
          vendor: DELIVERIES,
          region: null,
          method: 'POST',
          path: `/${DELIVERIES}/${event.type}`,
        })
      if (fault?.kind === 'slow' || fault?.kind === 'out-of-order') {
        void this.postpone(fault).then(() => this.send(delivery, fault))
        continue
      }
      await this.send(delivery, fault)
      if (fault?.kind === 'duplicate-delivery') await this.send(delivery, null)
      for (const release of this.held.splice(0)) release()
    }
  }

  private postpone(fault: Fault): Promise<unknown> {
    if (fault.kind === 'slow') return wait(fault.delayMs, undefined, { ref: false })
    return Promise.race([
      new Promise<void>(resolve => this.held.push(resolve)),
      wait(LATEST_MS, undefined, { ref: false }),
    ])
  }

  private async send(delivery: Delivery, fault: Fault | null): Promise<void> {
    const { account } = this
    const event = account.find('event', delivery.event)
    const endpoint = account.find('webhook_endpoint', delivery.endpoint)
    if (this.isClosed) return
    if (!event || !endpoint) return this.finish(delivery)
    const body = JSON.stringify(presentObject(account, event), null, 2)
    const secret = fault?.kind === 'bad-signature' ? `whsec_${randomBytes(24).toString('hex')}` : endpoint._secret
    let status: number | null = null
    let error: string | null = null
    try {
      if (fault?.kind === 'drop-before') throw new Error('The connection was lost.')
      const response = await fetch(endpoint.url, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signatureOf(body, secret),
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-version': API_VERSION,
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.arrayBuffer()
      ;({ status } = response)
    } catch (thrown) {
      error = (thrown as Error).message
    }
    if (!this.isClosed) this.record(delivery, status, error)
  }

  private record(delivery: Delivery, status: number | null, error: string | null): void {
    const { account } = this
    // A reset forgets what was under way.
    if (!account.deliveries.includes(delivery)) return void this.underWay.delete(delivery.id)
    const at = account.now()
    const isAccepted = status !== null && status >= 200 && status < 300
    const pause = retryAfter[delivery.attempts.length]
    delivery.attempts.push({ at, status, error })
    if (isAccepted || pause === undefined) {
      const isFirst = isAccepted && !delivery.isDone
      delivery.isDone = true
      if (isFirst) this.countDown(delivery)
    } else if (!delivery.isDone) delivery.dueAt = at + pause
    this.underWay.delete(delivery.id)
    account.world.saveState('stripe')
  }

  private countDown({ event: id }: Delivery): void {
    const event = this.account.find('event', id)
    if (event)
      this.account.transaction(() =>
        this.account.change(event, { pending_webhooks: Math.max(0, event.pending_webhooks - 1) }),
      )
  }

  private finish(delivery: Delivery): void {
    this.underWay.delete(delivery.id)
    delivery.isDone = true
  }
}
