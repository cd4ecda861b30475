import { vi } from 'vitest'

/** Gives every list a height and every row another, and lets lists scroll, where no browser lays anything out. Undone by `vi.restoreAllMocks`. */
export function stubLayout({ listPx, rowPx }: { listPx: number; rowPx: number }): void {
  const heightOf = function (this: HTMLElement): number {
    return this.tagName === 'LI' ? rowPx : listPx
  }
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(heightOf)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(heightOf)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300)
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return Number.parseFloat(this.querySelector('ul')?.style.height ?? '') || listPx
  })
  const scrollTo = function (this: HTMLElement, to?: ScrollToOptions | number): void {
    const top = typeof to === 'object' ? (to.top ?? 0) : 0
    if (top === this.scrollTop) return
    this.scrollTop = top
    // As a browser does, later.
    setTimeout(() => this.dispatchEvent(new Event('scroll')), 0)
  }
  vi.spyOn(HTMLElement.prototype, 'scrollTo').mockImplementation(scrollTo)
}
