import type { World } from '../core/world.ts'
import { notFound, type SpRequest } from './operations/operation.ts'

/** Sellers' entries by id. They survive a restart, and a reset of the world removes them. */
export class SavedMap<T extends { sellerId: string }> {
  private readonly world: World
  private readonly name: string
  private readonly idOf: (entry: T) => string
  private entries = new Map<string, T>()

  /** `name` must be unique in the world. */
  constructor(world: World, name: string, idOf: (entry: T) => string) {
    this.world = world
    this.name = name
    this.idOf = idOf
    world.registerState<T[]>(name, {
      dump: () => this.all(),
      restore: entries => {
        this.entries = new Map(entries.map(entry => [idOf(entry), entry]))
      },
      reset: () => this.entries.clear(),
    })
  }

  all = (): T[] => [...this.entries.values()]

  get = (id: unknown): T | undefined => this.entries.get(String(id))

  ofSeller = ({ seller }: SpRequest): T[] => this.all().filter(entry => entry.sellerId === seller.sellerId)

  /** The caller's entry whose id is in the path. Throws `notFound` when there is none. */
  inPath({ path, seller }: SpRequest, parameter: string, what: string): T {
    const entry = this.get(path[parameter])
    if (entry?.sellerId !== seller.sellerId) throw notFound(`${what} ${path[parameter]}`)
    return entry
  }

  set(entry: T): void {
    this.entries.set(this.idOf(entry), entry)
    this.world.saveState(this.name)
  }

  deleteWhere(condition: (entry: T) => boolean): void {
    const sizeBefore = this.entries.size
    for (const [id, entry] of this.entries) if (condition(entry)) this.entries.delete(id)
    if (this.entries.size < sizeBefore) this.world.saveState(this.name)
  }
}
