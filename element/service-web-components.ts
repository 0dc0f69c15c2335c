/**
 * What the one built file does when a page loads it.
 *
 * @module
 */
import { defineElement } from './define-element.ts';

defineElement();
