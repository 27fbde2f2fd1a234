import { Injectable } from '@nestjs/common';
import type { BaseUrls } from '#http';
import type { Html } from '#site';
import type { Parameters } from '../parameters.js';

/** Where a login leads: to the page of one kind about the thing with this id. */
export interface ReturnTarget {
  readonly kind: string;
  readonly id: string;
}

/** What the login page says on the way to a return target. */
export interface LoginText {
  readonly heading: string;
  readonly lead: Html;
  /** Whether somebody is logged in and has to show their password once more. */
  readonly isAgain: boolean;
  /** The validated redirect URI of an authorization request: a redirect after the form's POST counts as its target too. */
  readonly redirectUri?: string;
}

/** A kind of page that a login may lead to, defined by whoever owns the page. */
export interface ReturnTargetKind {
  /** Its path below the origin it is at. */
  readonly path: (id: string) => string;
  readonly at: 'auth' | 'site';
  /** `isLoggedIn`: somebody is, but the page asks for the password once more. */
  readonly loginText: (id: string, isLoggedIn: boolean) => LoginText | Promise<LoginText>;
}

/** Its heading where the traveller is logged in and only has to show the password again. */
export const CONFIRM_IDENTITY = 'Confirme que é você';

/**
 * The pages that a login may lead to, and nothing else. A form names one by its kind, as the field that holds the id: no
 * address is ever taken from a request.
 */
@Injectable()
export class ReturnTargets {
  private readonly kinds = new Map<string, ReturnTargetKind>();

  /** Adds the kinds that a module owns, when it is made. */
  register(kinds: Readonly<Record<string, ReturnTargetKind>>): void {
    for (const [name, kind] of Object.entries(kinds)) this.kinds.set(name, kind);
  }

  pathTo({ kind, id }: ReturnTarget): string {
    return this.kind(kind).path(id);
  }

  loginText({ kind, id }: ReturnTarget, isLoggedIn: boolean): LoginText | Promise<LoginText> {
    return this.kind(kind).loginText(id, isLoggedIn);
  }

  /** The host where it is. */
  hostOf({ kind }: ReturnTarget, urls: BaseUrls): string {
    return new URL(urls[this.kind(kind).at]).host;
  }

  /** The return target that a form names, or null. @throws RequestError `parameter_flawed` */
  namedIn(fields: Parameters): ReturnTarget | null {
    for (const kind of this.kinds.keys()) {
      const id = fields.optional(kind);
      if (id !== undefined) return { kind, id };
    }
    return null;
  }

  private kind(name: string): ReturnTargetKind {
    const kind = this.kinds.get(name);
    if (!kind) throw new Error(`no return target of kind ${name} is registered`);
    return kind;
  }
}
