import { screen, within } from '@testing-library/react'

interface Person {
  readonly click: (element: Element) => Promise<void>
}

/** Opens the menu of a button and returns the names of its items. */
export async function menuItems(user: Person, button: string): Promise<string[]> {
  await user.click(screen.getByLabelText(button))
  const menu = await screen.findByRole('menu')
  return within(menu)
    .getAllByRole('menuitem')
    .map(({ textContent }) => textContent ?? '')
}
