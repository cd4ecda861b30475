import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import type { Product } from '#sandbox/core/model/store.ts'
import type { AdsSpecification } from './ads-specification.ts'
import { knownDifferences } from './known-differences.ts'
import { histories } from '../support/processes.ts'

const client = { client_id: 'amzn1.application-oa2-client.demo', client_secret: 'amzn1.oa2-cs.v1.demo' }
const NOW = new Date('2026-11-21T18:30:00Z')

export interface AdsAnswer {
  status: number
  /** False when the sandbox has no such address at all. */
  exists: boolean
  body: unknown
  /** As it came: ids that are numbers are longer than a number holds. */
  text: string
}

export interface AdsContractWorld {
  sandbox: Sandbox
  /** Asks the host of the first profile's region and keeps what the specifications say against the answer. */
  ask(method: string, path: string, question?: AdsQuestion): Promise<AdsAnswer>
  /** What the specifications had against the answers since the last time, each once, but for what is known of the real ones. */
  complaints(): string[]
  /** A product that the profile may advertise. */
  product(): Product
  /** Calls that were judged. */
  judged: Set<string>
  close(): Promise<void>
}

export interface AdsQuestion {
  body?: unknown
  /** Media type of the body and, unless named, of the answer. */
  type?: string
  accept?: string
  headers?: Record<string, string>
}

/** The first id of a name in an answer, digit by digit. Throws when there is none. */
export function idIn(text: string, name: string): string {
  const id = new RegExp(`"${name}":"?(\\d+)`).exec(text)?.[1]
  if (id === undefined) throw new Error(`no ${name} in ${text}`)
  return id
}

/** A profile of the demonstration with campaigns in it. */
export const PROFILE = 1100000000000011

/** The demonstration's sandbox at one moment, with the specifications reading along. */
export async function openAdsContract(specification: AdsSpecification): Promise<AdsContractWorld> {
  const sandbox = await startSandbox({ clock: { now: () => NOW }, histories })
  const { lwa } = sandbox.world
  const code = lwa.issueCode({
    login: 'agency@sandbox.test',
    scope: 'advertising::campaign_management advertising::test:create_account',
    redirectUri: null,
    clientId: client.client_id,
  })
  const bought = lwa.token({ grant_type: 'authorization_code', code, ...client })
  if (!bought.ok) throw new Error(bought.failure.error_description)
  const { refresh_token = '' } = bought.reply
  /** A fresh token for each call: hours of the world's time pass between them. */
  const accessToken = (): string => {
    const again = lwa.token({ grant_type: 'refresh_token', refresh_token, ...client })
    return again.ok ? again.reply.access_token : ''
  }
  const found = new Set<string>()
  const judged = new Set<string>()
  return {
    sandbox,
    judged,
    async ask(method, path, { body, type = 'application/json', accept = type, headers = {} } = {}) {
      const response = await fetch(`${sandbox.url}/ads/na${path}`, {
        method,
        headers: {
          authorization: `Bearer ${accessToken()}`,
          'amazon-advertising-api-clientid': client.client_id,
          'amazon-advertising-api-scope': String(PROFILE),
          accept,
          ...(body !== undefined && { 'content-type': type }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const answer = text === '' ? null : (JSON.parse(text) as unknown)
      const exists = !(response.status === 404 && /Could not find resource for full path|Method Not Found/.test(text))
      const bare = path.split('?')[0] ?? ''
      if (exists) {
        judged.add(`${method} ${bare} ${response.status}`)
        for (const one of specification.deviations(method, bare, accept, response.status, answer)) found.add(one)
      }
      return { status: response.status, exists, body: answer, text }
    },
    complaints() {
      const taken = [...found].filter(one => !knownDifferences.some(([known]) => known.test(one)))
      found.clear()
      return taken.sort()
    },
    product() {
      const { profiles, products } = sandbox.world.store
      const profile = profiles.get(PROFILE)
      const own = [...products.values()].find(
        one =>
          one.sellerId === profile?.sellerId &&
          one.marketplaceId === profile.marketplaceId &&
          one.eligibility === 'ELIGIBLE',
      )
      if (!own) throw new Error(`profile ${PROFILE} has nothing to advertise`)
      return own
    },
    close: () => sandbox.close(),
  }
}
