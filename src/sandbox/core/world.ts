import type { Clock } from '#shared/time.ts'
import { TokenService, type TokenState } from '../login-with-amazon/token-service.ts'
import type { CreateMarket, Market } from '../market/create-market.ts'
import type { Drift } from '../market/market.ts'
import { type ErrorWording, sellingPartnerWording } from './error-wording.ts'
import { Faults } from './faults.ts'
import type { Store } from './model/store.ts'
import { RequestJournal } from './request-journal.ts'
import { sellerIdsOf } from './model/store.ts'
import { applyChange, pendingKeys, profilesOf, revertChanges, takeChanges, track } from './store/changes.ts'
import type { StoreChange, StoredEntry } from './store/changes.ts'
import { type CollectionName, collectionNames, emptyStore } from './store/collections.ts'
import type { Histories } from './store/histories.ts'
import { type Checkpoint, type SavedStates, WorldDatabase } from './store/database.ts'
import { WorldClock } from './world-clock.ts'

export interface Scenario {
  store: Store
  seed: number
  /** From when on the market trades. */
  startsAt: Date
  /** How much the market changes by itself; calm by default. */
  drift?: Drift
}
export type Scenarios = Record<string, (options: { now: Date; seed?: number }) => Scenario>

/** State of one room that must survive a restart: plain JSON out and in. */
export interface SavedState<T> {
  dump(): T
  restore(state: T): void
  /** Back to nothing, when the world goes back to a scenario. */
  reset(): void
}

export interface WorldConfig {
  /** Where browsers and the product reach the sandbox, without a slash at the end. */
  publicUrl: string
  /** Secret by client id of the applications that exist. */
  clients: ReadonlyMap<string, string>
  sellingPartnerApp: string
  /** What the control calls ask for, and the console on a browser's first visit. */
  controlToken: string
}

export interface WorldOptions {
  scenarios: Scenarios
  scenario: string
  createMarket: CreateMarket
  config: WorldConfig
  clock?: Clock | undefined
  /** Folder for the state; absent: nothing outlives the process. */
  data?: string | undefined
  /** Absent: the history is simulated at every start. */
  histories?: Histories | undefined
}

/** A start repeats every change since the checkpoint, so there must not be too many. */
const MAX_CHANGES_LENGTH = 16 * 1024 * 1024
/** The periodic checkpoints take at most this part of the time; until the next one the changes are on disk anyway. */
const SAVING_SHARE = 1 / 50
const HOUR_MS = 3_600_000

type StoreWatcher = (changes: readonly StoreChange[], at: Date) => void

/**
 * The outside world: the marketplace's store, its shoppers, its time. It continues where its data folder left off, or else
 * begins with its scenario. Read `store` and `market` again each time you need them.
 */
export class World {
  store!: Store
  scenario = ''
  readonly clock: WorldClock
  readonly config: WorldConfig
  readonly journal = new RequestJournal()
  readonly faults = new Faults()
  readonly lwa: TokenService
  /** How each vendor words its errors; a vendor without an entry uses the Selling Partner API's wording. */
  readonly errorWordings = new Map<string, ErrorWording>()
  private currentMarket!: Market
  private seed = 0
  private startsAt = new Date(0)
  private drift: Drift = 'calm'
  private readonly options: WorldOptions
  private readonly database: WorldDatabase | null
  private readonly states = new Map<string, SavedState<unknown>>()
  private readonly watchers: StoreWatcher[] = []
  /** Changes since the checkpoint from which a restart restored the rooms' states; otherwise empty. */
  missedChanges: { changes: readonly StoreChange[]; at: Date }[] = []
  /** States that were on disk at the start; a room restores its own when it registers. */
  private savedStates: SavedStates = {}
  /** Whether anything changed since the checkpoint; which entries did, by collection; and how long the changes are on disk. */
  private isDirty = false
  private readonly changedKeys = new Map<CollectionName, Set<string | number>>()
  private changesLength = 0
  /** The checkpoint on disk names the scenario instead of holding its entries. */
  private isRecipe = false
  private nextSaveAt = 0

  /** Throws when the scenario is unknown or the folder cannot be used. */
  constructor(options: WorldOptions) {
    this.options = options
    this.config = options.config
    this.clock = new WorldClock(options.clock)
    this.database = options.data ? new WorldDatabase(options.data) : null
    this.lwa = new TokenService({
      clock: this.clock,
      clients: this.config.clients,
      sellerIdsOf: email => sellerIdsOf(this.store, email, this.clock.now()),
      changed: () => this.saveState('lwa'),
    })
    if (!this.reopen() && !this.reset(options.scenario))
      throw new Error(`There is no scenario ${options.scenario}; there is ${this.scenarioNames().join(', ')}.`)
    this.registerState<TokenState>('lwa', this.lwa)
  }

  wordingOf(vendor: string): ErrorWording {
    return this.errorWordings.get(vendor) ?? sellingPartnerWording
  }

  scenarioNames(): string[] {
    return Object.keys(this.options.scenarios)
  }

  /** The market, brought up to the present hour. */
  market(): Market {
    this.currentMarket.advance(this.clock.now())
    return this.currentMarket
  }

  /**
   * The only way to change the store: the market first advances to now with the entries as they were. Changed entries must be
   * set on their collection (`store.campaigns.set(id, {...old, state})`), never altered in place. The change is on disk
   * before this returns; when the verb throws, it is reverted.
   */
  change<T>(verb: (store: Store, now: Date) => T): T {
    const now = this.clock.now()
    this.currentMarket.advance(now)
    let result: T
    try {
      result = verb(this.store, now)
    } catch (error) {
      revertChanges(this.store)
      throw error
    }
    const changes = takeChanges(this.store)
    if (changes.length === 0) return result
    for (const profileId of profilesOf(changes)) this.currentMarket.invalidate(profileId)
    this.write(
      now.getTime(),
      changes.map(({ collection, key, after }): StoredEntry => [collection, key, after ?? null]),
    )
    for (const watcher of this.watchers) watcher(changes, now)
    return result
  }

  /** Calls the watcher after each change of the store, until the world closes. */
  onChange(watcher: StoreWatcher): void {
    this.watchers.push(watcher)
  }

  /** Registers state of a room that must survive restarts, and restores what was saved. */
  registerState<T>(name: string, state: SavedState<T>): void {
    this.states.set(name, state)
    if (name in this.savedStates) state.restore(this.savedStates[name] as T)
  }

  /** Saves the named state; call it after each change to it. */
  saveState(name: string): void {
    const state = this.states.get(name)
    if (!state || !this.database) return
    this.isDirty = true
    this.database.writeState(name, state.dump())
  }

  /** Back to a scenario: store, shoppers, grants, clock, faults, requests and every saved state. False when it does not exist. */
  reset(scenario: string, { now, seed }: { now?: Date | undefined; seed?: number | undefined } = {}): boolean {
    const make = this.scenarioOf(scenario)
    if (!make) return false
    this.clock.offsetMs = 0
    if (now) this.clock.set(now)
    const madeAt = this.clock.now()
    this.scenario = scenario
    this.make(make, madeAt, seed)
    this.savedStates = {}
    this.missedChanges = []
    for (const state of this.states.values()) state.reset()
    this.faults.clear()
    this.journal.clear()
    // The same scenario, moment and seed make the same world, so that half a million keywords need not be written now.
    this.writeCheckpoint({ madeAt: madeAt.toISOString() }, [], true)
    this.isRecipe = true
    return true
  }

  private make(make: Scenarios[string], now: Date, seed: number | undefined): void {
    const made = make({ now, ...(seed !== undefined && { seed }) })
    this.open(made)
    const { histories } = this.options
    // Shoppers act by the hour: within one hour the same scenario has the same history. Stock changes only after it.
    const hour = Math.floor(now.getTime() / HOUR_MS)
    const key = [this.scenario, made.seed, hour, ...collectionNames.map(name => made.store[name].size)].join()
    const cached = histories?.read(key)
    if (cached) return this.currentMarket.restore(cached)
    this.currentMarket.advance(now)
    histories?.write(key, this.currentMarket.dump())
  }

  save(): void {
    if (!this.database) return
    const startedAt = performance.now()
    const content = { logins: this.store.logins, market: this.currentMarket.dump() }
    this.writeCheckpoint(content, this.isRecipe ? this.allEntries() : this.changedEntries(), this.isRecipe)
    this.isRecipe = false
    const endedAt = performance.now()
    this.nextSaveAt = endedAt + (endedAt - startedAt) / SAVING_SHARE
  }

  private *allEntries(): Iterable<StoredEntry> {
    for (const name of collectionNames) for (const [key, value] of this.store[name]) yield [name, key, value]
  }

  private *changedEntries(): Iterable<StoredEntry> {
    // The market sets stock outside of `change`.
    for (const [name, key] of pendingKeys(this.store)) this.markChanged(name, key)
    for (const [name, keys] of this.changedKeys)
      for (const key of keys) yield [name, key, (this.store[name] as Map<string | number, unknown>).get(key) ?? null]
  }

  private markChanged(name: CollectionName, key: string | number): void {
    const keys = this.changedKeys.get(name) ?? new Set()
    this.changedKeys.set(name, keys.add(key))
  }

  private writeCheckpoint(content: Partial<Checkpoint>, entries: Iterable<StoredEntry>, fresh: boolean): void {
    const { scenario, seed, startsAt, drift, clock } = this
    const checkpoint = { scenario, seed, startsAt: startsAt.toISOString(), drift, offsetMs: clock.offsetMs, ...content }
    // A room that has not registered yet keeps the state that was on disk.
    const dumps = Object.fromEntries([...this.states].map(([name, state]) => [name, state.dump()]))
    this.database?.writeCheckpoint(checkpoint, { ...this.savedStates, ...dumps }, { entries, fresh })
    this.isDirty = false
    this.changedKeys.clear()
    this.changesLength = 0
  }

  /** As `save`, when anything changed since; not so often that a big world would do little else. */
  saveIfChanged(): void {
    if (this.isDirty && performance.now() >= this.nextSaveAt) this.save()
  }

  close(): void {
    // With all entries, because another version of the program might make the scenario differently.
    if (this.isDirty || this.isRecipe) this.save()
    this.database?.close()
  }

  private write(at: number, entries: StoredEntry[]): void {
    if (!this.database) return
    this.isDirty = true
    for (const [name, key] of entries) this.markChanged(name, key)
    this.changesLength += this.database.addChange({ at, entries })
    if (this.changesLength > MAX_CHANGES_LENGTH) this.save()
  }

  private open({ store, seed, startsAt, drift = 'calm' }: Scenario): void {
    this.store = track(store)
    this.seed = seed
    this.startsAt = startsAt
    this.drift = drift
    this.currentMarket = this.options.createMarket(this.store, { seed, startsAt, drift, cachesStructure: true })
  }

  /** The store and market of the checkpoint on disk; false when it names a scenario that is gone. */
  private load(database: WorldDatabase, checkpoint: Checkpoint): boolean {
    const { scenario, seed, startsAt, drift, logins, market, madeAt } = checkpoint
    if (madeAt === undefined) {
      const store = emptyStore()
      store.logins = logins as Store['logins']
      database.readEntries(entry => applyChange(store, entry))
      this.open({ store, seed, startsAt: new Date(startsAt), ...(drift && { drift }) })
      this.currentMarket.restore(market)
      return true
    }
    const make = this.scenarioOf(scenario)
    if (!make) return false
    this.make(make, new Date(madeAt), seed)
    this.isRecipe = true
    return true
  }

  private scenarioOf(name: string): Scenarios[string] | undefined {
    return Object.hasOwn(this.options.scenarios, name) ? this.options.scenarios[name] : undefined
  }

  /** Continues from the state on disk: the checkpoint, then each change at the time it was made. */
  private reopen(): boolean {
    const checkpoint = this.database?.readCheckpoint()
    if (!this.database || !checkpoint) return false
    this.scenario = checkpoint.scenario
    this.clock.offsetMs = checkpoint.offsetMs
    if (!this.load(this.database, checkpoint)) return false
    this.savedStates = this.database.readStates()
    for (const { at, entries } of this.database.readChanges()) {
      this.currentMarket.advance(new Date(at))
      for (const entry of entries) {
        applyChange(this.store, entry)
        this.markChanged(entry[0], entry[1])
      }
      const changes = takeChanges(this.store)
      for (const profileId of profilesOf(changes)) this.currentMarket.invalidate(profileId)
      if (changes.length > 0) this.missedChanges.push({ changes, at: new Date(at) })
      this.isDirty = true
    }
    return true
  }
}
