/** Pages without the side menu: they have one purpose, such as signing in, and nothing beside it. */
const without = /^\/(?:home|chat|setup|login|register|reset|user\/reset|oauth\/.*)?$/

/** Guests have no side menu: nearly every page in it requires an account. */
export const hasSideMenu = (pathname: string, isSignedIn: boolean): boolean => isSignedIn && !without.test(pathname)

/** A chat page of the operator's. */
export const isChatPath = (pathname: string): boolean => pathname.startsWith('/chat/')
