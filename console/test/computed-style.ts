/**
 * Returns the style of an element in a document without style sheets: what its `style` attribute says, and whether it is hidden. The
 * function of happy-dom resolves all properties along all ancestors at each call, and a query by role calls it for each element.
 */
export function quickComputedStyle(element: Element): CSSStyleDeclaration {
  return new QuickStyle(element) as unknown as CSSStyleDeclaration
}

const hiddenTags = new Set(['DATALIST', 'HEAD', 'SCRIPT', 'STYLE', 'TEMPLATE'])

class QuickStyle {
  readonly #element: Element

  constructor(element: Element) {
    this.#element = element
  }

  get display(): string {
    const own = inlineStyle(this.#element, 'display')
    if (own) return own
    const isHidden = this.#element.hasAttribute('hidden') || hiddenTags.has(this.#element.tagName.toUpperCase())
    // The gaps between inline elements are in the style sheets: in accessible names, too, their words are separate.
    return isHidden ? 'none' : 'block'
  }

  get visibility(): string {
    for (let element: Element | null = this.#element; element; element = element.parentElement) {
      const value = inlineStyle(element, 'visibility')
      if (value) return value
    }
    return 'visible'
  }

  getPropertyValue(property: string): string {
    if (property === 'display') return this.display
    if (property === 'visibility') return this.visibility
    return inlineStyle(this.#element, property)
  }
}

// Any other property: as the `style` attribute has it.
Object.setPrototypeOf(
  QuickStyle.prototype,
  new Proxy(Object.prototype, {
    get: (target, key, style: QuickStyle) =>
      typeof key === 'symbol' || key in target
        ? Reflect.get(target, key)
        : style.getPropertyValue(key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
  }),
)

function inlineStyle(element: Element, property: string): string {
  if (!element.getAttribute('style')?.includes(property)) return ''
  return (element as HTMLElement).style.getPropertyValue(property)
}
