import type { World } from '../core/world.ts'

/** Entries by id. They survive a restart, and a reset of the world removes them. */
export class SavedMap<T> {
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

  get = (id: string | undefined): T | undefined => this.entries.get(id ?? '')

  set(entry: T): void {
    this.entries.set(this.idOf(entry), entry)
    this.world.saveState(this.name)
  }

  /** Deletes the entries for which the condition holds. */
  deleteWhere(condition: (entry: T) => boolean): void {
    const sizeBefore = this.entries.size
    for (const [id, entry] of this.entries) if (condition(entry)) this.entries.delete(id)
    if (this.entries.size < sizeBefore) this.world.saveState(this.name)
  }
}
