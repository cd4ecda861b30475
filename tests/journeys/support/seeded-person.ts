import { expect } from '@playwright/test'
import { consentTo, readMail } from '../../../src/main/demonstration/outside-world.ts'
import type { Processes } from '../../support/processes.ts'
import { newPerson, newSeller, type Person } from './people.ts'

export interface Seeded extends Person {
  /** Calls the product as this person; answers the parsed body, throws when it is refused. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

const send = async <T>(url: string, method: string, path: string, body?: unknown, token?: string): Promise<T> => {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return (text ? JSON.parse(text) : null) as T
}

/** Somebody with a verified account and nothing connected, made over HTTP. */
export const verifiedPerson = async (world: Processes, person = newPerson()): Promise<Seeded> => {
  const { url } = world.product
  await send(url, 'POST', '/auth/register', { ...person, accountType: 'SELLER' })
  const link = await readMail(world.sandbox, person.email, '/verify-email')
  await send(url, 'POST', '/auth/verify-email', { token: new URL(link).searchParams.get('token') })
  // A token lives for a quarter of an hour, somebody whom many stories share perhaps longer.
  let session = await sessionOf(world, person)
  let since = Date.now()
  return {
    ...person,
    call: async <T>(method: string, path: string, body?: unknown) => {
      if (Date.now() - since > 10 * 60_000) [session, since] = [await sessionOf(world, person), Date.now()]
      return send<T>(world.product.url, method, path, body, session.accessToken)
    },
  }
}

interface Session {
  accessToken: string
  refreshToken: string
}

/** A new log-in of this person, made over HTTP. */
export const sessionOf = ({ product }: Processes, { email, password }: Pick<Person, 'email' | 'password'>) =>
  send<Session>(product.url, 'POST', '/auth/login', { email, password })

interface Account {
  login: string
  sellerId: string
}

/** Connects the seller account of this person and starts the trial. */
export const connectSellerOf = async (person: Seeded, { login, sellerId }: Account = newSeller): Promise<void> => {
  const { url } = await person.call<{ url: string }>('GET', '/amazon/sp/login?regionId=1')
  const back = await consentTo(url, { account: `${login}|${sellerId}` })
  await person.call('POST', '/amazon/sp/callback', Object.fromEntries(back.searchParams))
}

export const startTrialOf = async (person: Seeded): Promise<void> => {
  const plans = await person.call<{ id: number }[]>('GET', '/subscriptions/plans')
  await person.call('POST', '/subscriptions', { planId: plans[0]?.id })
}

interface AdsProfile {
  amazonProfileId: number
  merchantId: number | null
  countryCode: string
}

/** Connects the advertising accounts and takes those of the country into management, which begins the import. */
export const connectAdsOf = async (person: Seeded, login: string = newSeller.login, country = 'US'): Promise<void> => {
  const { url } = await person.call<{ url: string }>('GET', '/amazon/ads/login?regionId=1')
  const { code, state } = Object.fromEntries((await consentTo(url, { login })).searchParams)
  const { profiles } = await person.call<{ profiles: AdsProfile[] }>('POST', '/amazon/ads/callback', { code, state })
  const own = profiles.filter(p => p.countryCode === country && p.merchantId !== null)
  const amazonProfileIds = own.map(p => p.amazonProfileId)
  await person.call('POST', '/user/amazon/connect', { merchantId: own[0]?.merchantId, amazonProfileIds })
  await person.call('POST', '/user/amazon/select', { amazonProfileId: amazonProfileIds[0] })
}

/** Waits until nothing is being imported any more and all of it succeeded. */
export const importOf = async (person: Seeded): Promise<void> => {
  await expect
    .poll(
      async () => {
        const items = await person.call<{ status: string }[]>('GET', '/seeding-status/active')
        return items.length > 0 && items.every(item => item.status === 'COMPLETED')
      },
      { timeout: 240_000, intervals: [500] },
    )
    .toBe(true)
}

/** Somebody with everything connected and imported: the new seller, United States. */
export const importedPerson = async (world: Processes): Promise<Seeded> => {
  const person = await verifiedPerson(world)
  await connectSellerOf(person)
  await startTrialOf(person)
  await connectAdsOf(person)
  await importOf(person)
  return person
}
