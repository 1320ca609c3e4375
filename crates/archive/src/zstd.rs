//! Decompresses Zstandard: all frames of a stream one after the other, as zstd:chunked layers have them.

use crate::run::Run;
use crate::{Compression, Error};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, Read};

/// A reader of the content of all frames.
pub(crate) struct ZstdReader<'r, 'a, R> {
    run: &'r Run<'a>,
    packed: R,
    frame: FrameDecoder,
    is_in_frame: bool,
}

impl<'r, 'a, R: BufRead> ZstdReader<'r, 'a, R> {
    pub(crate) fn new(run: &'r Run<'a>, packed: R) -> Self {
        let mut frame = FrameDecoder::new();
        frame.set_max_window_size(run.limits.window);
        Self { run, packed, frame, is_in_frame: false }
    }

    /// Goes to the next frame with content. Returns whether there is one.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.packed.fill_buf()?.is_empty() {
            match self.frame.init(&mut self.packed) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let length = u64::from(length);
                    let skipped = io::copy(&mut (&mut self.packed).take(length), &mut io::sink())?;
                    if skipped < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(FrameDecoderError::WindowSizeTooBig { .. }) => {
                    let limit = self.run.limits.window;
                    return Err(self.run.fail(Error::WindowTooLarge { compression: Compression::Zstd, limit }));
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.is_in_frame = false;
        let (said, found) = (self.frame.get_checksum_from_data(), self.frame.get_calculated_checksum());
        if said.is_some() && said != found { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) }
    }
}

impl<R: BufRead> Read for ZstdReader<'_, '_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_in_frame {
                if !self.next_frame()? {
                    return Ok(0);
                }
                self.is_in_frame = true;
            }
            if self.frame.can_collect() > 0 {
                return self.frame.read(into);
            }
            if self.frame.is_finished() {
                self.end_frame()?;
            } else {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.frame.decode_blocks(&mut self.packed, one).map_err(io::Error::other)?;
            }
        }
    }
}
