import { sessionCookie } from 'backlot/session';
import { NextResponse } from 'next/server';

/** Begins a session for a visitor without one. */
export function proxy(request) {
  if (request.cookies.has(sessionCookie)) return NextResponse.next();
  const begin = new URL('/_backlot/begin', request.url);
  begin.searchParams.set('to', request.nextUrl.pathname);
  return NextResponse.redirect(begin);
}

export const config = { matcher: '/' };
