import type { Clock } from '#shared/time.ts'
import type { TokenService } from '../login-with-amazon/token-service.ts'
import type { CreateMarket, Market } from '../market/create-market.ts'
import type { StoreChange } from './store/changes.ts'
import type { Faults } from './faults.ts'
import type { Store } from './model/store.ts'
import type { RequestJournal } from './request-journal.ts'
import type { ErrorWording } from './error-wording.ts'
import type { WorldClock } from './world-clock.ts'

export interface Scenario {
  store: Store
  seed: number
  /** From when on the market trades. */
  startsAt: Date
}
export type Scenarios = Record<string, (options: { now: Date; seed?: number }) => Scenario>

/** State of one room that must survive a restart: plain JSON out and in. */
export interface SavedState<T> {
  dump(): T
  restore(state: T): void
  /** Back to nothing, when the world goes back to a scenario. */
  reset(): void
}

export type StoreWatcher = (changes: readonly StoreChange[], at: Date) => void

export interface WorldConfig {
  /** Where browsers and the product reach the sandbox, without a slash at the end. */
  publicUrl: string
  /** Secret by client id of the applications that exist. */
  clients: ReadonlyMap<string, string>
  /** The Selling Partner application's id. */
  sellingPartnerApp: string
  /** What the control calls ask for, and the console on a browser's first visit. */
  controlToken: string
}

/** The outside world: the marketplace's store, its shoppers, its time. Read `store` and `market` again each time you need them. */
export interface World {
  readonly store: Store
  readonly clock: WorldClock
  readonly config: WorldConfig
  readonly journal: RequestJournal
  readonly faults: Faults
  readonly lwa: TokenService
  /** How each vendor words its errors; a vendor without an entry uses the Selling Partner API's wording. */
  readonly errorWordings: Map<string, ErrorWording>
  wordingOf(vendor: string): ErrorWording
  readonly scenario: string
  scenarioNames(): string[]
  /** The market, brought up to the present hour. */
  market(): Market
  /**
   * The only way to change the store: the market first advances to now with the entries as they were. Changed entries must be
   * set on their collection (`store.campaigns.set(id, {...old, state})`), never altered in place. The change is on disk
   * before this returns; when the verb throws, it is reverted.
   */
  change<T>(verb: (store: Store, now: Date) => T): T
  /** Calls the watcher after each change of the store, until the world closes. */
  onChange(watcher: StoreWatcher): void
  /** Changes since the checkpoint from which a restart restored the rooms' states; otherwise empty. */
  readonly missedChanges: readonly { changes: readonly StoreChange[]; at: Date }[]
  /** Registers state of a room that must survive restarts, and restores what was saved. */
  registerState<T>(name: string, state: SavedState<T>): void
  /** Saves the named state; call it after each change to it. */
  saveState(name: string): void
  /** Back to a scenario: store, shoppers, grants, clock, faults, requests and every saved state. False when it does not exist. */
  reset(scenario: string, options?: { now?: Date; seed?: number }): boolean
  /** Writes a checkpoint now. */
  save(): void
  /** As `save`, when anything changed since; not so often that a big world would do little else. */
  saveIfChanged(): void
  close(): void
}

export interface WorldOptions {
  scenarios: Scenarios
  scenario: string
  createMarket: CreateMarket
  config: WorldConfig
  clock?: Clock | undefined
  /** Folder for the state; absent: nothing outlives the process. */
  data?: string | undefined
}
