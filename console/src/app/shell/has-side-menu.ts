const without = ['/', '/home', '/setup']

/** All but the pages that stand alone: home, set-up, an embedded chat. Guests have it too: a page that needs an account asks them to sign in. */
export const hasSideMenu = (pathname: string): boolean => !without.includes(pathname) && !/^\/chat(\/|$)/.test(pathname)
