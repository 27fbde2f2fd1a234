// Command verify checks a transparency log of Alçada without any code of Alçada: with sumdb/note and sumdb/tlog, which
// Go itself verifies its checksum database with. It reads the checkpoint, every tile and every entry over HTTP.
//
// Usage: verify <address of the log> <verifier key>
package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Tiles of C2SP tlog-tiles are always 8 levels high.
const height = 8

// Entries of the first form name their stream by a pseudonym, and their revision; those of the second have a mark alone.
var (
	named  = regexp.MustCompile(`\Aalcada\.event/v1\n([A-Za-z0-9_-]{43})\n(0|[1-9][0-9]*)\n[0-9a-f]{64}\n\z`)
	marked = regexp.MustCompile(`\Aalcada\.event/v2\n([A-Za-z0-9_-]{43})\n[0-9a-f]{64}\n\z`)
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: verify <address of the log> <verifier key>")
		os.Exit(2)
	}
	told, err := verify(log{os.Args[1]}, os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(told)
}

func verify(log log, vkey string) (string, error) {
	tree, err := log.checkpoint(vkey)
	if err != nil {
		return "", err
	}
	// What it answers has been verified against the root of the tree.
	tiles := tlog.TileHashReader(tree, log)
	// All hashes of the tree once more, computed from the entries alone.
	var own []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			hashes[i] = own[index]
		}
		return hashes, nil
	})
	seen := sequence{map[string]int64{}, map[string]bool{}}
	for first := int64(0); first < tree.N; first += 1 << height {
		entries, err := log.entries(first>>height, width(tree.N-first))
		if err != nil {
			return "", err
		}
		indexes := make([]int64, len(entries))
		for i := range entries {
			indexes[i] = tlog.StoredHashIndex(0, first+int64(i))
		}
		leaves, err := tiles.ReadHashes(indexes)
		if err != nil {
			return "", err
		}
		for i, data := range entries {
			number := first + int64(i)
			if tlog.RecordHash(data) != leaves[i] {
				return "", fmt.Errorf("entry %d is not the one that the tree holds", number)
			}
			hashes, err := tlog.StoredHashesForRecordHash(number, leaves[i], read)
			if err != nil {
				return "", err
			}
			own = append(own, hashes...)
			if err := seen.add(data); err != nil {
				return "", fmt.Errorf("entry %d: %v", number, err)
			}
		}
	}
	root, err := tlog.TreeHash(tree.N, read)
	if err != nil {
		return "", err
	}
	if root != tree.Hash {
		return "", fmt.Errorf("the entries give the root %v, and not %v", root, tree.Hash)
	}
	return fmt.Sprintf("%d entries, %d of them marked, root %v", tree.N, len(seen.marks), root), nil
}

// sequence is what was read so far: the next revision of each pseudonym, and the marks.
type sequence struct {
	next  map[string]int64
	marks map[string]bool
}

// add checks the form of an entry, and that it is the next one of its stream, or has a mark of its own. None of the first
// form follows one of the second.
func (s sequence) add(data []byte) error {
	if match := marked.FindSubmatch(data); match != nil {
		mark := string(match[1])
		if s.marks[mark] {
			return fmt.Errorf("the mark %s stands twice", mark)
		}
		s.marks[mark] = true
		return nil
	}
	match := named.FindSubmatch(data)
	if match == nil || len(s.marks) > 0 {
		return fmt.Errorf("%q is no entry", data)
	}
	stream := string(match[1])
	revision, err := strconv.ParseInt(string(match[2]), 10, 64)
	if err != nil {
		return err
	}
	if revision != s.next[stream] {
		return fmt.Errorf("revision %d of %s where %d follows", revision, stream, s.next[stream])
	}
	s.next[stream]++
	return nil
}

func width(left int64) int {
	if left > 1<<height {
		return 1 << height
	}
	return int(left)
}

// A log at an address.
type log struct{ address string }

// checkpoint reads the tree that the log has signed.
func (l log) checkpoint(vkey string) (tlog.Tree, error) {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return tlog.Tree{}, err
	}
	data, err := l.get("checkpoint")
	if err != nil {
		return tlog.Tree{}, err
	}
	signed, err := note.Open(data, note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(signed.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return tlog.Tree{}, fmt.Errorf("no checkpoint of %s: %q", verifier.Name(), signed.Text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		return tlog.Tree{}, fmt.Errorf("no root: %q", lines[2])
	}
	tree := tlog.Tree{N: size}
	copy(tree.Hash[:], root)
	return tree, nil
}

// entries reads a bundle of entries.
func (l log) entries(index int64, width int) ([][]byte, error) {
	data, err := l.get(path(tlog.Tile{H: height, L: -1, N: index, W: width}))
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for len(data) > 0 {
		if len(data) < 2 || len(data)-2 < int(binary.BigEndian.Uint16(data)) {
			return nil, fmt.Errorf("bundle %d ends within an entry", index)
		}
		end := 2 + int(binary.BigEndian.Uint16(data))
		entries = append(entries, data[2:end])
		data = data[end:]
	}
	if len(entries) != width {
		return nil, fmt.Errorf("bundle %d has %d entries instead of %d", index, len(entries), width)
	}
	return entries, nil
}

func (l log) get(path string) ([]byte, error) {
	response, err := http.Get(l.address + "/" + path)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", path, response.Status)
	}
	return io.ReadAll(response.Body)
}

// path is that of sumdb/tlog, without the height and with another name for the entries.
func path(tile tlog.Tile) string {
	path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
	return strings.Replace(path, "tile/data/", "tile/entries/", 1)
}

// Height, ReadTiles and SaveTiles make a log a tlog.TileReader.
func (l log) Height() int { return height }

func (l log) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(tiles))
	for i, tile := range tiles {
		var err error
		if data[i], err = l.get(path(tile)); err != nil {
			return nil, err
		}
	}
	return data, nil
}

func (l log) SaveTiles([]tlog.Tile, [][]byte) {}
