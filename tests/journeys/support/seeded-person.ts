import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { consentTo, readMail } from '../../../src/main/demonstration/outside-world.ts'
import type { Processes } from '../../support/processes.ts'
import { control } from './sandbox-control.ts'
import { newPerson, type Person, sellerLogin } from './people.ts'

export interface Seeded extends Person {
  /** Calls the product's API as this person. Returns the parsed body; throws on an error status. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

async function send<T>(url: string, method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      // Calls that create something require a key.
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return (text ? JSON.parse(text) : null) as T
}

/** Creates a verified user without connections, by HTTP calls. */
export async function verifiedPerson(world: Processes, person = newPerson()): Promise<Seeded> {
  const { url } = world.product
  const own = { accountType: 'SELLER', timezone: 'America/Los_Angeles', ...person }
  await send(url, 'POST', '/auth/register', own)
  const link = await readMail(world.sandbox, person.email, '/verify-email')
  await send(url, 'POST', '/auth/verify-email', { token: new URL(link).searchParams.get('token') })
  // A token expires after 15 minutes; a shared person may live longer.
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

/** A new session of this person, by an HTTP call. */
export const sessionOf = ({ product }: Processes, { email, password }: Pick<Person, 'email' | 'password'>) =>
  send<Session>(product.url, 'POST', '/auth/login', { email, password })

interface Account {
  login: string
  sellerId: string
  /** Of the seller account; 1 is North America. */
  regionId?: number
}

/** Connects the seller account of this person. */
export async function connectSeller(
  person: Seeded,
  { login, sellerId, regionId = 1 }: Account = sellerLogin,
): Promise<void> {
  const { url } = await person.call<{ url: string }>('GET', `/amazon/sp/login?regionId=${regionId}`)
  const back = await consentTo(url, { account: `${login}|${sellerId}` })
  await person.call('POST', '/amazon/sp/callback', Object.fromEntries(back.searchParams))
}

export async function startTrial(person: Seeded): Promise<void> {
  const plans = await person.call<{ id: number }[]>('GET', '/subscriptions/plans')
  await person.call('POST', '/subscriptions', { planId: plans[0]?.id })
}

interface AdsProfile {
  amazonProfileId: number
  merchantId: number | null
  countryCode: string
}

/** Connects the advertising accounts and manages those of the country, which starts the import. */
export async function connectAds(person: Seeded, login: string = sellerLogin.login, country = 'US'): Promise<void> {
  const { url } = await person.call<{ url: string }>('GET', '/amazon/ads/login?regionId=1')
  const { code, state } = Object.fromEntries((await consentTo(url, { login })).searchParams)
  const { profiles } = await person.call<{ profiles: AdsProfile[] }>('POST', '/amazon/ads/callback', { code, state })
  const own = profiles.filter(p => p.countryCode === country && p.merchantId !== null)
  const amazonProfileIds = own.map(p => p.amazonProfileId)
  await person.call('POST', '/user/amazon/connect', { merchantId: own[0]?.merchantId, amazonProfileIds })
  await person.call('POST', '/user/amazon/select', { amazonProfileId: amazonProfileIds[0] })
}

/** The limit for a launch or an import; reached only when it hangs. */
export const patient = { timeout: 400_000 }

interface ImportedPart {
  displayName: string
  description: string
  status: string
}

/** Waits until every import has completed. A failure names what has not. */
export async function waitForImport(person: Seeded): Promise<void> {
  await expect
    .poll(
      async () => {
        const parts = await person.call<ImportedPart[]>('GET', '/seeding-status/active')
        if (!parts.length) return ['No import has begun']
        const open = parts.filter(part => part.status !== 'COMPLETED')
        return open.map(({ displayName, status, description }) => `${displayName}: ${status}, ${description}`)
      },
      { ...patient, intervals: [500] },
    )
    .toEqual([])
}

/** The new seller in the US with everything connected and imported. */
export async function importedPerson(world: Processes): Promise<Seeded> {
  const person = await verifiedPerson(world)
  await connectSeller(person)
  await startTrial(person)
  // For every hour of the week some figures, of this account alone.
  await control(world.sandbox, 'stream', { daysBefore: 8, profileId: 4100000000000011 })
  await connectAds(person)
  await waitForImport(person)
  return person
}
