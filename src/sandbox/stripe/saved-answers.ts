import { createHash } from 'node:crypto'
import type { World } from '../core/world.ts'
import { StripeError } from './stripe-error.ts'

export interface SavedAnswer {
  path: string
  /** Digest of the parameters. */
  digest: string
  status: number
  body: string
  requestId: string
  /** World time, seconds. */
  at: number
}

const LIFE_SECONDS = 86_400

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The answers to requests with an idempotency key, for a day. */
export class SavedAnswers {
  private answers = new Map<string, SavedAnswer>()
  private readonly inProgress = new Set<string>()
  private readonly world: World

  constructor(world: World) {
    this.world = world
    world.registerState<[string, SavedAnswer][]>('stripe-answers', {
      dump: () => [...this.answers],
      restore: entries => void (this.answers = new Map(entries)),
      reset: () => this.answers.clear(),
    })
  }

  private now = (): number => Math.floor(this.world.clock.now().getTime() / 1000)

  /** Marks the key as in use until the result is called. Throws when another request with it is under way. */
  begin(key: string): () => void {
    if (this.inProgress.has(key))
      throw new StripeError(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      })
    this.inProgress.add(key)
    return () => this.inProgress.delete(key)
  }

  /** The answer to an earlier request with this key; null when it is new. Throws when that request was another one. */
  find(key: string, path: string, digest: string): SavedAnswer | null {
    const saved = this.answers.get(key)
    if (!saved || saved.at + LIFE_SECONDS <= this.now()) return null
    if (saved.path !== path)
      throw this.mismatch(
        `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${saved.path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
      )
    if (saved.digest !== digest)
      throw this.mismatch(
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      )
    return saved
  }

  private mismatch = (message: string): StripeError => new StripeError(400, { type: 'idempotency_error', message })

  save(key: string, answer: Omit<SavedAnswer, 'at'>): void {
    const now = this.now()
    for (const [old, { at }] of this.answers) {
      if (at + LIFE_SECONDS > now) break
      this.answers.delete(old)
    }
    this.answers.set(key, { ...answer, at: now })
    this.world.saveState('stripe-answers')
  }
}
