import Stripe from 'stripe'
import type { Ctx, Services } from '#server/context.ts'
import { servicesWithOutside } from './outside.ts'
import { addAccount, callerOf } from './people.ts'

export type PaymentsScene = Awaited<ReturnType<typeof openPaymentsScene>>

/** Services with an outside whose clock they share, and the provider as its own dashboard sees it. */
export async function openPaymentsScene() {
  process.env.STRIPE_SUPPRESS_NOTICES = 'true'
  const { services: opened, sandbox } = await servicesWithOutside({ scenario: 'new-seller' })
  // Not a clock that follows, so that the product is never behind.
  const services = { ...opened, clock: sandbox.world.clock }
  const { port } = new URL(sandbox.url)
  const control = async (call: string, body: object) => {
    const answer = await sandbox.control('POST', call, body)
    if (!answer.ok) throw new Error(await answer.text())
  }
  return {
    services: services as Services,
    stripe: new Stripe('sk_test_sandbox', { host: 'localhost', port, protocol: 'http', telemetry: false }),
    advance: (duration: string) => control('clock', { advance: duration }),
    /** A fault of the provider's API; see the emulator's kinds. */
    fault: (method: 'GET' | 'POST' | 'DELETE', path: string, kind: string, more: object = {}) =>
      control('faults', { match: { vendor: 'stripe', method, path }, kind, ...more }),
    /** The context of a new account's owner. */
    newOwner: async (): Promise<Ctx> => callerOf(services, await addAccount(services)),
    close: opened.close,
  }
}

export const cards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  failsLater: '4000 0000 0000 0341',
  needsOwner: '4000 0025 0000 3155',
  needsOwnerEachTime: '4000 0027 6000 3184',
}

/** Enters a card on a page of the provider, as a person does. `location`: where the page leads when it was accepted. */
export async function enterCard(url: string, number: string, more: Record<string, string> = {}) {
  const reply = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ number, expiry: '12 / 34', cvc: '123', name: 'Ada', ...more }),
  })
  return { status: reply.status, location: reply.headers.get('location') }
}
