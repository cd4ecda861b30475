import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import type { Product } from '#sandbox/core/model/store.ts'
import type { World } from '#sandbox/core/world.ts'
import { checkOf, describedBy } from '../models.ts'
import type { SellingPartnerWorld } from '../selling-partner-world.ts'

export const HOUR = 3_600_000

export interface Seller {
  host: string
  sellerId: string
  marketplaceId: string
  timezone: string
}
interface Question {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}
interface Answer {
  status: number
  body: unknown
}
/** A seller whose questions are asked as the models write them. */
export interface Judge extends Seller {
  /** One of the seller's products. */
  product: () => Product
  /** Asks as the model writes the operation, with the seller's token or another, and holds the answer against it. */
  ask: (operationId: string, question?: Question, token?: string) => Promise<Answer>
  world: () => World
  app: () => FastifyInstance
}

/** Judges for a seller; an operation counts as judged once it was answered, not refused. */
export function judgeFor(sp: () => SellingPartnerWorld, seller: Seller, judged: Set<string>): Judge {
  const { host, sellerId, marketplaceId } = seller
  return {
    ...seller,
    world: () => sp().world,
    app: () => sp().app,
    product: () =>
      [...sp().world.store.products.values()].find(
        one => one.sellerId === sellerId && one.marketplaceId === marketplaceId,
      ) ?? expect.unreachable(),
    async ask(operationId, question = {}, token = sp().tokenFor('agency@sandbox.test', sellerId)) {
      const { method, path } = describedBy(operationId)
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(question.path?.[name] ?? ''))
      const url = `${host}${filled}?${new URLSearchParams(question.query)}`
      const answer = await sp().call(method, url, token, question.body)
      const check = checkOf(operationId, answer.status)
      if (check) check(answer.body)
      else expect(answer.body).toBeNull()
      expect(check?.errors ?? [], `${operationId} ${answer.status}`).toEqual([])
      if (answer.status < 300) judged.add(operationId)
      return answer
    },
  }
}
