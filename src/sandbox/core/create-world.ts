import { systemClock } from '#shared/time.ts'
import { createTokenService, type TokenService, type TokenState } from '../login-with-amazon/token-service.ts'
import type { Market } from '../market/market.ts'
import { storeOf, dumpStore } from './store/collections.ts'
import type { JournalLine, Snapshot } from './store/snapshot.ts'
import {
  applyChange,
  type StoreChange,
  type StoredEntry,
  profilesOf,
  takeBack,
  takeChanges,
  track,
} from './store/changes.ts'
import { createFaults } from './faults.ts'
import type { Store } from './model/store.ts'
import { sellerIdsOf } from './seller-ids-of.ts'
import { createRequestJournal } from './request-journal.ts'
import { openStorage, type Storage } from './store/storage.ts'
import { sellingPartnerWording, type ErrorWording } from './error-wording.ts'
import { createWorldClock, type WorldClock } from './world-clock.ts'
import type { StoreWatcher, SavedState, Scenarios, World, WorldConfig, WorldOptions } from './world.ts'

const MOST_JOURNAL_BYTES = 16 * 1024 * 1024
/** Snapshots that nobody asked for take at most this part of the time; the journal holds what they do not. */
const SAVING_SHARE = 1 / 50

class SandboxWorld implements World {
  store!: Store
  scenario = ''
  readonly clock: WorldClock
  readonly config: WorldConfig
  readonly journal = createRequestJournal()
  readonly faults = createFaults()
  readonly lwa: TokenService
  readonly errorWordings = new Map<string, ErrorWording>()
  private currentMarket!: Market
  private seed = 0
  private startsAt = new Date(0)
  private readonly options: WorldOptions
  private readonly storage: Storage | null
  private readonly kept = new Map<string, SavedState<unknown>>()
  private readonly watchers: StoreWatcher[] = []
  missedChanges: { changes: readonly StoreChange[]; at: Date }[] = []
  private found: Record<string, unknown> = {}
  private dirty = false
  /** The snapshot on disk names the scenario instead of holding what it made. */
  private isRecipe = false
  private savesAgainAt = 0

  constructor(options: WorldOptions) {
    this.options = options
    this.config = options.config
    this.clock = createWorldClock(options.clock ?? systemClock)
    this.storage = options.data ? openStorage(options.data) : null
    this.lwa = createTokenService({
      clock: this.clock,
      clients: this.config.clients,
      sellerIdsOf: email => sellerIdsOf(this.store, email, this.clock.now()),
      changed: () => this.saveState('lwa'),
    })
    if (!this.reopen() && !this.reset(options.scenario))
      throw new Error(
        `There is no scenario ${options.scenario}; there is ${Object.keys(options.scenarios).join(', ')}.`,
      )
    this.registerState<TokenState>('lwa', this.lwa)
  }

  wordingOf(vendor: string): ErrorWording {
    return this.errorWordings.get(vendor) ?? sellingPartnerWording(token => this.lwa.revoke(token))
  }

  scenarioNames(): string[] {
    return Object.keys(this.options.scenarios)
  }

  market(): Market {
    this.currentMarket.advance(this.clock.now())
    return this.currentMarket
  }

  change<T>(verb: (store: Store, now: Date) => T): T {
    const now = this.clock.now()
    this.currentMarket.advance(now)
    const result = this.attempt(() => verb(this.store, now))
    const touched = takeChanges(this.store)
    if (touched.length > 0) {
      const store = touched.map(({ shelf, key, after }): StoredEntry => [shelf, key, after ?? null])
      for (const profileId of profilesOf(touched)) this.currentMarket.invalidate(profileId)
      this.write({ at: now.getTime(), store })
      for (const watcher of this.watchers) watcher(touched, now)
    }
    return result
  }

  private attempt<T>(verb: () => T): T {
    try {
      return verb()
    } catch (error) {
      takeBack(this.store)
      throw error
    }
  }

  onChange(watcher: StoreWatcher): void {
    this.watchers.push(watcher)
  }

  registerState<T>(name: string, state: SavedState<T>): void {
    this.kept.set(name, state)
    if (name in this.found) state.restore(this.found[name] as T)
  }

  saveState(name: string): void {
    const state = this.kept.get(name)
    if (state && this.storage) this.write({ at: this.clock.now().getTime(), kept: { name, state: state.dump() } })
  }

  reset(scenario: string, { now, seed }: { now?: Date; seed?: number } = {}): boolean {
    const make = this.scenarioOf(scenario)
    if (!make) return false
    this.clock.offsetMs = 0
    if (now) this.clock.set(now)
    const madeAt = this.clock.now()
    this.scenario = scenario
    this.make(make, madeAt, seed)
    this.found = {}
    this.missedChanges = []
    for (const state of this.kept.values()) state.reset()
    this.faults.clear()
    this.journal.clear()
    // The same scenario, moment and seed make the same world, so that half a million keywords need not be written now.
    this.storage?.replace(this.snapshot({ madeAt: madeAt.toISOString() }))
    this.dirty = false
    this.isRecipe = true
    return true
  }

  private make(make: Scenarios[string], now: Date, seed: number | undefined): void {
    const made = make({ now, ...(seed !== undefined && { seed }) })
    this.open(made.store, made.seed, made.startsAt)
    this.currentMarket.advance(now)
  }

  save(): void {
    if (!this.storage) return
    const begun = performance.now()
    this.storage.replace(this.snapshot({ store: dumpStore(this.store), market: this.currentMarket.dump() }))
    this.dirty = false
    this.isRecipe = false
    const ended = performance.now()
    this.savesAgainAt = ended + (ended - begun) / SAVING_SHARE
  }

  private snapshot(content: Pick<Snapshot, 'store' | 'market' | 'madeAt'>): Snapshot {
    return {
      version: 1,
      scenario: this.scenario,
      seed: this.seed,
      startsAt: this.startsAt.toISOString(),
      offsetMs: this.clock.offsetMs,
      ...content,
      // Rooms that have not announced themselves yet keep what was found.
      kept: { ...this.found, ...Object.fromEntries([...this.kept].map(([name, state]) => [name, state.dump()])) },
    }
  }

  saveIfChanged(): void {
    if (this.dirty && performance.now() >= this.savesAgainAt) this.save()
  }

  close(): void {
    // Whole, because another version of the program might make the scenario differently.
    if (this.dirty || this.isRecipe) this.save()
    this.storage?.close()
  }

  private write(line: JournalLine): void {
    if (!this.storage) return
    this.dirty = true
    this.storage.append(line)
    if (this.storage.journalBytes() > MOST_JOURNAL_BYTES) this.save()
  }

  private open(store: Store, seed: number, startsAt: Date): void {
    this.store = track(store)
    this.seed = seed
    this.startsAt = startsAt
    this.currentMarket = this.options.createMarket(this.store, { seed, startsAt, cachesStructure: true })
  }

  /** Books and market of a snapshot; false when it names a scenario that is gone. */
  private takeUp({ scenario, seed, startsAt, store, market, madeAt }: Snapshot): boolean {
    if (store) {
      this.open(storeOf(store), seed, new Date(startsAt))
      this.currentMarket.restore(market)
      return true
    }
    const make = this.scenarioOf(scenario)
    if (!make || !madeAt) return false
    this.make(make, new Date(madeAt), seed)
    this.isRecipe = true
    return true
  }

  private scenarioOf(name: string): Scenarios[string] | undefined {
    return Object.hasOwn(this.options.scenarios, name) ? this.options.scenarios[name] : undefined
  }

  /** Takes up the state on disk: the snapshot, then each change at the time it was made. */
  private reopen(): boolean {
    const stored = this.storage?.read()
    const snapshot = stored?.snapshot as Snapshot | undefined
    if (!stored || !snapshot || snapshot.version !== 1) return false
    this.scenario = snapshot.scenario
    this.clock.offsetMs = snapshot.offsetMs
    if (!this.takeUp(snapshot)) return false
    this.found = { ...snapshot.kept }
    for (const line of stored.lines as JournalLine[]) {
      if (line.store) this.currentMarket.advance(new Date(line.at))
      for (const change of line.store ?? []) applyChange(this.store, change)
      const changes = takeChanges(this.store)
      for (const profileId of profilesOf(changes)) this.currentMarket.invalidate(profileId)
      if (changes.length > 0) this.missedChanges.push({ changes, at: new Date(line.at) })
      if (line.kept) this.found[line.kept.name] = line.kept.state
    }
    this.dirty = stored.lines.length > 0
    return true
  }
}

/**
 * A world, taken up where its data folder left it, else in its scenario. Throws when the scenario is unknown or the
 * folder cannot be used.
 */
export const createWorld = (options: WorldOptions): World => new SandboxWorld(options)
