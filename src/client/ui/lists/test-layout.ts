import { vi } from 'vitest'

/** Gives every list a height and every row another, where no browser lays anything out. Undone by `vi.restoreAllMocks`. */
export const stubLayout = ({ listPx, rowPx }: { listPx: number; rowPx: number }): void => {
  const heightOf = function (this: HTMLElement): number {
    return this.tagName === 'LI' ? rowPx : listPx
  }
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(heightOf)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(heightOf)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300)
}
