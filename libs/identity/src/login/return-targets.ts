import { Injectable } from '@nestjs/common';
import type { BaseUrls } from '#http';
import type { Html } from '#site';
import type { Parameters } from '../parameters.js';

/** Where a login leads: a kind of page, and the id of its subject. */
export interface ReturnTarget {
  readonly kind: string;
  readonly id: string;
}

export interface LoginText {
  readonly heading: string;
  readonly lead: Html;
  /** Whether somebody is logged in and has to enter their password again. */
  readonly isAgain: boolean;
  /** The validated redirect URI of an authorization request, since browsers count a redirect after a POST as a form target. */
  readonly redirectUri?: string;
}

/** A kind of page that a login may lead to, defined by the module that owns the page. */
export interface ReturnTargetKind {
  readonly path: (id: string) => string;
  readonly at: 'auth' | 'site';
  /** `isLoggedIn`: somebody is logged in, but the page asks for the password again. */
  readonly loginText: (id: string, isLoggedIn: boolean) => LoginText | Promise<LoginText>;
}

/** The heading where the traveller is logged in and only has to enter the password again. */
export const CONFIRM_IDENTITY = 'Confirme que é você';

/** The only pages that a login may lead to, named by kind and id. No address is ever taken from a request. */
@Injectable()
export class ReturnTargets {
  private readonly kinds = new Map<string, ReturnTargetKind>();

  /** Adds the kinds that a module owns; a name belongs to one module alone. */
  register(kinds: Readonly<Record<string, ReturnTargetKind>>): void {
    for (const [name, kind] of Object.entries(kinds)) {
      if (this.kinds.has(name)) throw new Error(`the return target ${name} is registered twice`);
      this.kinds.set(name, kind);
    }
  }

  pathTo({ kind, id }: ReturnTarget): string {
    return this.kind(kind).path(id);
  }

  loginText({ kind, id }: ReturnTarget, isLoggedIn: boolean): LoginText | Promise<LoginText> {
    return this.kind(kind).loginText(id, isLoggedIn);
  }

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
